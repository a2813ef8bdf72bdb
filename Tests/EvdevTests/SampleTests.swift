import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Evdev

@Suite struct SampleTests {
    private static let gravity = 9.80665

    private static func axes(_ sensor: Sensor?) -> AxesReading? {
        if case .axes(let axes)? = sensor?.reading { axes } else { nil }
    }

    @Test func `units per g and per degree a second become SI units`() throws {
        let sensors = try FakeWorld.controller().found().sensors
        let acceleration = try #require(Self.axes(sensors[.accelerometer]))
        #expect(acceleration == AxesReading(x: Self.gravity / 2, y: 0, z: -Self.gravity, unit: .metresPerSecondSquared))
        let rotation = try #require(Self.axes(sensors[.gyroscope]))
        #expect(rotation == AxesReading(x: Double.pi / 180, y: 0, z: 0, unit: .radiansPerSecond))
        #expect(sensors.values.allSatisfy { $0.availability == .available && $0.detail == nil })
    }

    /// A report of 1 g along y, with a matrix in udev's database.
    private static func mounted(_ matrix: String, ofParent: Bool = false) throws -> (Sensor?, Sensor?, [Notice]) {
        var world = FakeWorld.controller(
            reads: [.success(InputNode.report([.x: 0, .y: 8192, .z: 0, .rx: 0, .ry: 1024, .rz: 0]))])
        let input = "/sys/devices/virtual/misc/uhid/0003:054C:0CE6.0001/input/input7"
        world.add("\(input)/uevent", "PRODUCT=3/54c/ce6/8111\n")
        let record = ofParent ? "/run/udev/data/+input:input7" : "/run/udev/data/c13:71"
        world.add(record, "I:1\nE:ID_INPUT_ACCELEROMETER=1\nE:ACCEL_MOUNT_MATRIX=\(matrix)\n")
        let deadline = world.now().advanced(bySeconds: 2)
        let session = try EvdevDriver().open(world, until: deadline)
        let findings = try session.enumeration(.sample, until: deadline).candidates.map {
            session.look(at: $0, .sample, until: deadline)
        }
        return (
            findings.first { $0.sensor.kind == .accelerometer }?.sensor,
            findings.first { $0.sensor.kind == .gyroscope }?.sensor, findings.flatMap(\.notices)
        )
    }

    @Test(arguments: [false, true])
    func `udev's matrix turns the accelerometer, not the gyroscope`(ofParent: Bool) throws {
        let (accelerometer, gyroscope, notices) = try Self.mounted("0, -1, 0; 1, 0, 0; 0, 0, 1", ofParent: ofParent)
        #expect(Self.axes(accelerometer) == AxesReading(x: -Self.gravity, y: 0, z: 0, unit: .metresPerSecondSquared))
        #expect(Self.axes(gyroscope) == AxesReading(x: 0, y: Double.pi / 180, z: 0, unit: .radiansPerSecond))
        #expect(notices.isEmpty && accelerometer?.detail == nil)
    }

    @Test func `a matrix that mirrors is applied and reported, an invalid one is not applied`() throws {
        let (mirrored, _, notices) = try Self.mounted("1, 0, 0; 0, -1, 0; 0, 0, 1")
        #expect(Self.axes(mirrored)?.y == -Self.gravity)
        #expect(notices.map(\.id) == [.mirroredMatrix] && notices.first?.sensor == mirrored?.key)
        let (invalid, _, none) = try Self.mounted("1, 0, 0; 0, 1, 0; 0, 1, 0")
        #expect(Self.axes(invalid)?.y == Self.gravity && invalid?.availability == .available && none.isEmpty)
        #expect(invalid?.detail == "its mount matrix is invalid, so the axes are the chip's own")
        #expect(invalid?.evidence.last?.said == "read \"1, 0, 0; 0, 1, 0; 0, 1, 0\"")
    }

    @Test(
        arguments: [
            ([-1, -1, -1], .faulty, false), ([32767, 32767, -32768], .faulty, false), ([8192, 32767, 5], nil, true),
            // 1 m/s², and twice gravity.
            ([0, 0, 835], nil, true), ([0, 0, 16384], nil, true), ([0, 0, 8192], nil, false),
        ] as [([Int32], Cause?, Bool)])
    func `a report that cannot be true is faulty, and an improbable one a notice`(
        values: [Int32], cause: Cause?, isDoubtful: Bool
    ) throws {
        let world = FakeWorld.controller(
            reads: [.success(InputNode.report([.x: values[0], .y: values[1], .z: values[2], .rx: 5]))])
        let deadline = world.now().advanced(bySeconds: 2)
        let session = try EvdevDriver().open(world, until: deadline)
        let candidate = try #require(try session.enumeration(.sample, until: deadline).candidates.first)
        let finding = session.look(at: candidate, .sample, until: deadline)
        #expect(finding.sensor.availability == (cause.map { .unavailable($0) } ?? .available))
        #expect(finding.notices.map(\.id) == (isDoubtful ? [.implausibleValue] : []))
        #expect(cause == nil || finding.sensor.reading == nil && !finding.sensor.remedies.isEmpty)
    }

    @Test func `an axis that the device lacks is missing`() throws {
        var world = FakeWorld()
        world.add(input: 7, named: "pad", axes: "5") {
            InputNode([.x: (0, 4096), .z: (0, 4096)], reads: [.success(InputNode.report([.x: 4096]))])
        }
        let sensor = try world.found().sensors[.accelerometer]
        #expect(Self.axes(sensor) == AxesReading(x: Self.gravity, y: nil, z: 0, unit: .metresPerSecondSquared))
    }

    @Test(arguments: [(0, "gives no resolution"), (-3, "invalid resolution (-3 units per g)")] as [(Int32, String)])
    func `without a resolution the value is raw`(resolution: Int32, words: String) throws {
        var world = FakeWorld()
        world.add(input: 7, named: "pad", axes: "7") {
            InputNode(
                [.x: (0, 256), .y: (0, resolution), .z: (0, 256)],
                reads: [.success(InputNode.report([.x: 1, .y: -2, .z: 256]))])
        }
        let sensor = try world.found().sensors[.accelerometer]
        #expect(sensor?.availability == .available && sensor?.detail?.contains(words) == true)
        #expect(Self.axes(sensor) == AxesReading(x: 1, y: -2, z: 256, unit: .raw))
    }

    @Test(
        arguments: [("7", .accelerometer, "units per g)"), ("38", .gyroscope, "units per degree a second)")]
            as [(String, SensorKind, String)])
    func `the unit whose resolution is missing is named`(axes: String, kind: SensorKind, unit: String) throws {
        var world = FakeWorld()
        world.add(input: 7, named: "pad", axes: axes) {
            let known = MotionAxis.axes(of: kind)
            return InputNode(
                Dictionary(uniqueKeysWithValues: known.map { ($0, (0, 0)) }),
                reads: [.success(InputNode.report([known[0]: 1]))])
        }
        let sensor = try world.found().sensors[kind]
        #expect(sensor?.detail == "its driver gives no resolution (\(unit), so the value is raw")
    }

    @Test func `a cancelled session closes what it reads`() throws {
        let node = InputNode([.x: (0, 1), .y: (0, 1), .z: (0, 1)], reads: [.success(InputNode.report([.x: 1]))])
        var world = FakeWorld()
        world.add(input: 7, named: "pad", axes: "7") { node }
        let deadline = world.now().advanced(bySeconds: 2)
        let session = try EvdevDriver().open(world, until: deadline)
        let candidate = try #require(try session.enumeration(.sample, until: deadline).candidates.first)
        #expect(session.look(at: candidate, .sample, until: deadline).sensor.reading != nil && !node.isCancelled)
        session.cancel()
        #expect(node.isCancelled)
    }

    @Test func `what only udev takes for an accelerometer has no unit, whatever its resolution`() throws {
        var world = FakeWorld()
        world.add(input: 7, named: "lis3", axes: "7", properties: "0", udev: "E:ID_INPUT_ACCELEROMETER=1\n") {
            InputNode([.x: (0, 12), .y: (0, 12), .z: (0, 12)], reads: [.success(InputNode.report([.z: 990]))])
        }
        let sensor = try world.found().sensors[.accelerometer]
        #expect(sensor?.availability == .available && Self.axes(sensor)?.unit == .raw && Self.axes(sensor)?.z == 990)
    }

    @Test func `a device that has never reported is silent`() throws {
        let sensors = try FakeWorld.controller(reads: []).found().sensors
        #expect(sensors.values.map(\.availability) == [.unavailable(.silent), .unavailable(.silent)])
        #expect(sensors[.gyroscope]?.detail?.contains("the kernel has no value of it yet") == true)
        #expect(sensors.values.allSatisfy { $0.reading == nil && !$0.remedies.isEmpty })
    }

    @Test func `the kernel's last value alone tells nothing of now`() throws {
        let sensors = try FakeWorld.controller(reads: [], values: 8192).found().sensors
        #expect(sensors.values.map(\.availability) == [.unavailable(.indeterminate), .unavailable(.indeterminate)])
        #expect(sensors[.accelerometer]?.evidence.last?.said == "the last values: ABS_X 8192, ABS_Y 8192, ABS_Z 8192")
        #expect(sensors.values.allSatisfy { $0.reading == nil })
    }

    @Test func `a report with its time alone says that nothing has changed`() throws {
        let time = InputNode.event(4, 5, 12) + InputNode.event(0, 0, 0)
        let sensors = try FakeWorld.controller(reads: [.success(time)], values: 8192).found().sensors
        #expect(sensors.values.allSatisfy { $0.availability == .available })
        #expect(Self.axes(sensors[.accelerometer])?.z == Self.gravity)
        let zero = try FakeWorld.controller(reads: [.success(time)]).found().sensors
        #expect(zero[.accelerometer]?.availability == .unavailable(.silent))
        #expect(zero[.gyroscope]?.availability == .available)
    }

    @Test func `a device that reports acceleration alone says nothing of its gyroscope`() throws {
        let sensors = try FakeWorld.controller(reads: [.success(InputNode.report([.x: 1, .z: 8192]))]).found().sensors
        #expect(sensors[.accelerometer]?.availability == .available)
        #expect(sensors[.gyroscope]?.availability == .unavailable(.indeterminate))
    }

    @Test func `exactly zero on three axes is silent, and a gyroscope may be at rest`() throws {
        let reads = [
            InputNode.report([.x: 5, .y: 5, .z: 5, .rx: 5]), InputNode.report([.x: 0, .y: 0, .z: 0, .rx: 0]),
        ]
        // Both reports come in one read.
        let sensors = try FakeWorld.controller(reads: [.success(reads[0] + reads[1])]).found().sensors
        #expect(sensors[.accelerometer]?.availability == .unavailable(.silent))
        #expect(sensors[.gyroscope]?.availability == .available)
    }

    @Test func `an unfinished report does not count`() throws {
        let half = InputNode.report([.x: 100], ends: false)
        let cut = try FakeWorld.controller(reads: [.success(half)]).found().sensors
        #expect(cut[.accelerometer]?.availability == .unavailable(.indeterminate))
        let whole = try FakeWorld.controller(reads: [.success(half), .success(InputNode.report([:]))]).found().sensors
        #expect(whole[.accelerometer]?.availability == .available)
    }

    @Test func `after a loss the kernel's values count`() throws {
        let loss = InputNode.event(0, 3, 0) + InputNode.event(0, 0, 0)
        let sensors = try FakeWorld.controller(
            reads: [.success(InputNode.report([.x: 1], ends: false) + loss)], values: 8192
        ).found().sensors
        #expect(Self.axes(sensors[.accelerometer])?.x == Self.gravity)
    }

    @Test(
        arguments: [
            (.permissionDenied, .unavailable(.indeterminate), .denied),
            (.operationNotSupportedByDevice, .unavailable(.absent), .readable),
            (.ioError, .unavailable(.faulty), .readable), (.noSuchFileOrDirectory, .unavailable(.absent), .readable),
        ] as [(Errno, Availability, Access)])
    func `an error of the node is the sensor's own`(errno: Errno, availability: Availability, access: Access) throws {
        var world = FakeWorld()
        world.add(input: 7, named: "pad", axes: "7") { () throws(DriverError) -> any Channel in
            throw DriverError(errno: errno, subject: "/dev/input/event7")
        }
        let sensor = try world.found().sensors[.accelerometer]
        #expect(sensor?.availability == availability && sensor?.access == access)
        #expect(sensor?.isValueDenied == (access == .denied) && sensor?.remedies.isEmpty == false)
        let told = DriverError(errno: errno, subject: "").evidence().errno
        #expect(sensor?.evidence.count == 2 && sensor?.evidence.last?.errno == told)
    }

    @Test func `a node that is missing while the device is there is unknown`() throws {
        var world = FakeWorld()
        let event = world.add(input: 7, named: "pad", axes: "7") { () throws(DriverError) -> any Channel in
            throw DriverError(errno: .noSuchFileOrDirectory, subject: "/dev/input/event7")
        }
        world.nodes[event] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true)
        world.nodes["/dev/input/event7"] = nil
        let sensor = try world.found().sensors[.accelerometer]
        #expect(sensor?.availability == .unavailable(.indeterminate) && sensor?.access == .unknown)
        #expect(sensor?.remedies.first?.words.contains("in a container: pass the node /dev/input/event7 in") == true)
    }

    @Test(
        arguments: [
            (Errno.operationNotSupportedByDevice, true, .faulty), (.operationNotSupportedByDevice, false, .absent),
            (.noSuchAddressOrDevice, true, .faulty), (.noSuchAddressOrDevice, false, .absent),
        ] as [(Errno, Bool, Cause)])
    func `a device that fails is absent only if the kernel no longer lists it`(
        errno: Errno, isListed: Bool, cause: Cause
    ) throws {
        var world = FakeWorld()
        let event = world.add(input: 7, named: "pad", axes: "7") { () throws(DriverError) -> any Channel in
            throw DriverError(errno: errno, subject: "/dev/input/event7")
        }
        if isListed { world.nodes[event] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true) }
        let sensor = try #require(try world.found().sensors[.accelerometer])
        #expect(sensor.availability == .unavailable(cause))
        #expect((sensor.remedies.last?.words == "sudo dmesg") == (cause == .faulty))
    }

    @Test func `access has its own evidence: the status, the refusal of opening, or that it opened`() throws {
        var world = FakeWorld.controller()
        let node = "/dev/input/event7"
        let open = try #require(try world.found().sensors[.accelerometer])
        #expect(open.access == .readable && open.accessEvidence?.said.contains("readable by group 104") == true)
        world.nodes[node]?.readable = false
        let listed = try #require(try world.found().sensors[.accelerometer])
        #expect(listed.access == .denied && listed.accessEvidence?.said.hasPrefix("rw-rw---- 0:104") == true)
        world.nodes[node]?.refusal = .notPermitted
        let byGroup = try #require(try world.found().sensors[.accelerometer])
        #expect(byGroup.accessEvidence?.errno == "EPERM")
        #expect(byGroup.accessRemedies.words?.contains("DeviceAllow=") == true)
        world.nodes[node] = NodeStatus(owner: 0, group: 104, mode: 0o660, readable: true)
        // A function, since the compiler of Swift 6.3 crashes on such a closure.
        @Sendable func refuse() throws(DriverError) -> any Channel {
            throw DriverError(errno: .permissionDenied, subject: "/dev/input/event7")
        }
        world.channels[.evdev(node)] = refuse
        let refused = try #require(try world.found().sensors[.accelerometer])
        #expect(refused.access == .denied && refused.accessEvidence?.errno == "EACCES")
        // AppArmor is asked on opening: at another depth nothing is known.
        var confined = FakeWorld.controller()
        confined.add("/proc/self/attr/current", "rig (enforce)\n")
        #expect(try confined.found(.state).sensors[.accelerometer]?.access == .unknown)
        let opened = try #require(try confined.found().sensors[.accelerometer])
        #expect(opened.access == .readable && opened.accessEvidence?.said == "opened for reading")
    }

    @Test func `in a container the node is given on the host`() throws {
        var world = FakeWorld.controller()
        world.nodes["/dev/input/event7"]?.readable = false
        #expect(try world.found().sensors[.gyroscope]?.accessRemedies.words?.hasPrefix("sudo setfacl") == true)
        world.add("/.dockerenv", "")
        #expect(try world.found().sensors[.gyroscope]?.accessRemedies.words?.contains("--group-add 104") == true)
    }

    @Test func `unplugged while it is read, it is absent`() throws {
        let gone = DriverError(errno: .operationNotSupportedByDevice, subject: "/dev/input/event7")
        let sensors = try FakeWorld.controller(reads: [.failure(gone)]).found().sensors
        #expect(sensors.values.allSatisfy { $0.availability == .unavailable(.absent) })
    }
}

import DriverTesting
import DriverKit
import Glibc
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

@Suite struct RemedyTests {
    static let node = "/dev/iio:device0"
    static var denied: FakeWorld {
        var world = LocalTests.sixAxis
        world.nodes[node] = NodeStatus(owner: 0, group: 0, mode: 0o600, readable: false)
        return world
    }

    private func accessRemedy(_ world: FakeWorld) throws -> String? {
        let sensor = try #require(try DriverHarness(world).first(.gyroscope))
        #expect(sensor.access == .denied && sensor.remedy == nil && sensor.availability == .available)
        return sensor.accessRemedy
    }

    /// Whether a shell can parse it.
    static func canBeTyped(_ remedy: String) throws -> Bool {
        let child = try #require(Child(["bash", "-n", "-c", remedy]))
        return child.end(within: 20) == 0
    }

    @Test func `without the rule the remedy is complete and names the rule`() throws {
        let remedy = try #require(try accessRemedy(Self.denied))
        #expect(remedy.hasPrefix("sudo setfacl -m \"u:$(id -un):rw\" /dev/iio:device0 "))
        #expect(remedy.contains("Scripts/install"))
        #expect(try Self.canBeTyped(remedy))
    }

    @Test func `nobody is advised to join the group root`() throws {
        var world = Self.denied
        world.nodes[Self.node] = NodeStatus(owner: 0, group: 0, mode: 0o640, readable: false)
        let remedy = try #require(try accessRemedy(world))
        #expect(!remedy.contains("usermod") && remedy.hasPrefix("sudo setfacl "))
        world.nodes[Self.node] = NodeStatus(owner: 0, group: 1234, mode: 0o640, readable: false)
        #expect(try accessRemedy(world)?.hasPrefix("sudo usermod -aG 1234 ") == true)
    }

    @Test func `a denied value is not a denied node, and neither remedy hides the other`() throws {
        var world = Self.denied
        world.errors["\(LocalTests.folder)/in_accel_y_raw"] = .permissionDenied
        let chmod = "sudo chmod a+r \(LocalTests.folder)/in_accel_y_raw"
        let both = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(both.isValueDenied && both.availability == .unavailable(.indeterminate) && both.remedy == chmod)
        #expect(both.accessRemedy?.hasPrefix(chmod + "; sudo setfacl ") == true)
        world.errors = ["\(LocalTests.folder)/in_accel_y_raw": .ioError]
        let faulty = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(!faulty.isValueDenied && faulty.remedy == "sudo dmesg | grep -i mpu6050")
        #expect(faulty.accessRemedy?.hasPrefix("sudo setfacl ") == true)
    }

    @Test func `a step counter's values are denied by themselves`() throws {
        var world = FakeWorld()
        world.add(["in_steps_input": "7"])
        let file = "\(LocalTests.folder)/in_steps_input"
        world.nodes[file] = NodeStatus(owner: 0, group: 0, mode: 0o400, readable: false)
        world.errors[file] = .permissionDenied
        let sensor = try #require(try DriverHarness(world).first(.stepCounter))
        #expect(sensor.isValueDenied && sensor.accessRemedy == "sudo chmod a+r \(file)")
    }

    @Test(arguments: ["soc@0/1-0068", "a b/1-0068", "x,y=z+1/1-0068", "it's/1-0068", "$(reboot)/1-0068"])
    func `a path of any shape is one word of the command`(place: String) throws {
        var world = FakeWorld()
        let chip = "/sys/devices/platform/\(place)"
        world.add(at: chip, ["in_steps_input": "1", "in_steps_en": "0"])
        let remedy = try #require(try DriverHarness(world).first(.stepCounter)?.remedy)
        let file = "\(chip)/iio:device0/in_steps_en"
        #expect(remedy.hasPrefix("echo 1 | sudo tee "))
        let echo = "printf %s " + remedy.dropFirst("echo 1 | sudo tee ".utf8.count)
        let child = try #require(Child(["bash", "-c", echo]))
        #expect(child.end(within: 20) == 0 && child.text == file)
    }

    static let names = ["mpu6050", "", "-v", "a b", "it's", "$(reboot)", "`x`", "a\nb"]

    @Test(arguments: names) func `a chip's name breaks no command`(name: String) throws {
        var world = LocalTests.sixAxis
        world.add("\(LocalTests.folder)/name", name)
        world.add("\(LocalTests.folder)/in_accel_x_raw", "?")
        let remedy = try #require(try DriverHarness(world).first(.accelerometer)?.remedy)
        #expect(remedy.hasPrefix("sudo dmesg") && !remedy.contains("\n"))
        #expect(try Self.canBeTyped(remedy))
    }

    static let errors: [DriverError] =
        [
            Errno.permissionDenied, .notPermitted, .operationNotSupportedByDevice, .noSuchFileOrDirectory, .timedOut,
            .noFunction, .ioError, .resourceBusy, .brokenPipe, .connectionReset,
        ].map { DriverError(errno: $0, subject: "it") }
        + [.timedOut, .closed, .malformed, .notRecorded, .cancelled, .unsupported].map {
            DriverError($0, subject: "it")
        }

    /// A reader whose reads all fail in one way, or return one text.
    private struct Reader: AttributeReader {
        var answer: Result<[UInt8], DriverError>
        func read(_ attribute: String) throws(DriverError) -> [UInt8] { try answer.get() }
        func place(of attribute: String) -> String { attribute }
        func format(of value: String) -> SampleFormat? { nil }
        func isCaptured() -> Bool { false }
        func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? { nil }
    }

    @Test(
        arguments: [
            "", "ip:bench-07", "ip:[fe80::1]:99", "ip:", "usb:1.5.0", "usb:", "xml:rig.xml", "serial:x", "ip:a b",
        ])
    func `every unavailable sensor has a cause, evidence and a remedy`(uri: String) throws {
        let context = try ContextDescription(parsing: Array(RemoteTests.xml.utf8), of: RemoteTests.uri)
        let device = try #require(context.devices.first)
        let place = uri.isEmpty ? DeviceHost.local(FilePath(LocalTests.folder)) : .remote(uri: uri, device: device)
        let answers = Self.errors.map { Result<[UInt8], DriverError>.failure($0) } + [.success([48]), .success([63])]
        for plan in device.plans {
            for answer in answers {
                let sample = Sample(plan, from: Reader(answer: answer))
                let listed = Sensor(key: "k", kind: plan.kind, name: "chip", driver: "iio")
                let sensor = Finding(sample, of: listed, at: place).sensor
                #expect(Enumeration(searched: Evidence(said: "x")).omissions(of: [sensor]) == [], "\(uri) \(answer)")
                #expect(sensor.isValueDenied == sample.isDenied)
                if let remedy = sensor.remedy { #expect(!remedy.contains("\n")) }
            }
        }
    }

    @Test func `the remedy of a remote sensor is a local command`() throws {
        let context = try ContextDescription(parsing: Array(RemoteTests.xml.utf8), of: RemoteTests.uri)
        let device = try #require(context.devices.first)
        func remedy(_ uri: String, _ kind: SensorKind, _ answer: Result<[UInt8], DriverError>) throws -> String? {
            let plan = try #require(device.plans.first { $0.kind == kind })
            let listed = Sensor(key: "k", kind: kind, name: "chip", driver: uri)
            let sample = Sample(plan, from: Reader(answer: answer))
            return Finding(sample, of: listed, at: .remote(uri: uri, device: device)).sensor.remedy
        }
        let off = try remedy("ip:bench-07", .stepCounter, .success([48]))
        #expect(off == "iio_attr -u ip:bench-07 -c iio:device0 steps en 1")
        let silent = try remedy("ip:bench-07", .gyroscope, .failure(DriverError(.timedOut, subject: "")))
        #expect(silent == "ssh -t bench-07 'sudo systemctl restart iiod'")
        let faulty = try remedy("ip:bench-07", .gyroscope, .success([63]))
        #expect(faulty == "ssh -t bench-07 'sudo dmesg | grep -i chip'")
        let denied = try remedy("ip:bench-07", .gyroscope, .failure(DriverError(errno: .permissionDenied, subject: "")))
        #expect(denied == "ssh -t bench-07 'sudo chmod a+r /sys/bus/iio/devices/iio:device0/in_anglvel_z_raw'")
        for typed in [off, silent, faulty, denied] { #expect(try Self.canBeTyped(typed ?? "(")) }
    }
}

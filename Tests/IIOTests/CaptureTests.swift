import CaptureSupport
import DriverKit
import Glibc
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing
@testable import IIO

/// Continuous capture from a simulated rig.
@Suite struct CaptureTests {
    /// The events of a capture.
    final class FixTracker: Sendable {
        private struct Heard {
            var samples: [MotionSample] = []
            var modes: [CaptureMode] = []
            var failures: [(error: DriverError, isFinal: Bool)] = []
        }
        private let heard = Mutex(Heard())

        func hear(_ event: MotionEvent) {
            heard.withLock { heard in
                switch event {
                case .started(let mode): heard.modes.append(mode)
                case .sample(let sample): heard.samples.append(sample)
                case .failure(let error, let isFinal): heard.failures.append((error, isFinal))
                }
            }
        }

        var samples: [MotionSample] { heard.withLock(\.samples) }
        var modes: [CaptureMode] { heard.withLock(\.modes) }
        var failures: [(error: DriverError, isFinal: Bool)] { heard.withLock(\.failures) }
    }

    /// Waits until a condition is met; the ten seconds are for an overloaded machine.
    static func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<2000 {
            if condition() { return true }
            usleep(5000)
        }
        return condition()
    }

    private let rig = MemoryRig()
    private let ear = FixTracker()
    // Retained for the duration of a test: a released one ends.
    private let capture: MotionCapture

    init() { capture = MotionCapture(world: rig, hardware: rig) }

    private func start(
        _ kind: SensorKind = .accelerometer, every interval: Double = 0.02, heardBy other: FixTracker? = nil
    ) throws -> MotionCapture.Token {
        let ear = other ?? self.ear
        return try capture.start(kind, every: interval) { ear.hear($0) }
    }

    private let settings = [
        "in_accel_sampling_frequency", "trigger/current_trigger", "buffer/enable", "buffer/length", "buffer/watermark",
        "scan_elements/in_accel_x_en", "scan_elements/in_accel_y_en", "scan_elements/in_accel_z_en",
        "scan_elements/in_timestamp_en",
    ]

    @Test func `samples of a buffer are turned, scaled and timed by the kernel`() throws {
        rig.addHub(0, ["in_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"])
        let frame =
            MemoryRig.scan([100, -200, 1000], at: 5_000_000_000) + MemoryRig.scan([1, 2, 3], at: 5_020_000_000)
        rig.give(
            [.success(frame), .success([]), .success(MemoryRig.scan([4, 5, 6], at: 5_040_000_000))], scanSize: 24)
        let token = try start()
        #expect(Self.eventually { ear.samples.count == 3 })
        let first = try #require(ear.samples.first)
        #expect(first.axes.unit == .metresPerSecondSquared)
        for (value, expected) in zip([first.axes.x, first.axes.y, first.axes.z], [-1.9612, -0.9806, 9.806]) {
            #expect(abs((value ?? 0) - expected) < 1e-9)
        }
        #expect(ear.samples.map(\.time) == [5_000_000_000, 5_020_000_000, 5_040_000_000])
        #expect(ear.modes == [CaptureMode(device: "iio:device0", name: "accel_3d", hertz: 50)])
        capture.stop(token)
        #expect(Self.eventually { rig.log.last == "close iio:device0" })
        #expect(rig.log == ["open iio:device0 in_accel_x in_accel_y in_accel_z in_timestamp", "close iio:device0"])
        #expect(ear.failures.isEmpty)
    }

    @Test func `times of the realtime clock become times since boot`() throws {
        rig.addHub(0, ["current_timestamp_clock": "realtime"])
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let stamp = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        let before = CaptureClock.now
        rig.give([.success(MemoryRig.scan([1, 2, 3], at: stamp))], scanSize: 24)
        _ = try start()
        #expect(Self.eventually { ear.samples.count == 1 })
        let time = try #require(ear.samples.first?.time)
        // Both clocks were read within the same second, unless the machine was stopped.
        #expect(abs(time - before) < 60_000_000_000)
    }

    @Test func `settings of a capture are restored`() throws {
        rig.addHub(
            0,
            [
                "in_accel_sampling_frequency": "10.000000", "in_accel_sampling_frequency_available": "10 25 50 100",
                "trigger/current_trigger": "",
            ])
        rig.add("/sys/devices/bus0/trigger4/name", "accel_3d-dev0\n")
        let before = settings.map { rig.value(0, $0) }
        rig.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        let token = try start(every: 1.0 / 25)
        #expect(Self.eventually { ear.samples.count == 1 })
        #expect(rig.value(0, "in_accel_sampling_frequency") == "25")
        #expect(rig.value(0, "trigger/current_trigger") == "accel_3d-dev0")
        // As libiio restores them.
        rig.set(0, "buffer/length", "64")
        for axis in ["x", "y", "z"] { rig.set(0, "scan_elements/in_accel_\(axis)_en", "0") }
        capture.stop(token)
        #expect(Self.eventually { settings.map { rig.value(0, $0) } == before })
        #expect(ear.modes.first?.hertz == 25)
    }

    @Test func `another program's capture is not interrupted`() throws {
        rig.addHub()
        rig.bar("/dev/iio:device0", .resourceBusy)
        _ = try start()
        #expect(Self.eventually { ear.failures.count == 1 })
        #expect(ear.failures.first?.error.errno == .resourceBusy && ear.failures.first?.isFinal == true)
        #expect(rig.log.isEmpty && ear.modes.isEmpty)
    }

    @Test func `a node that this user may not read is refused, though the attributes could be read`() throws {
        rig.addHub(readable: false)
        _ = try start()
        #expect(Self.eventually { ear.failures.count == 1 })
        #expect(ear.failures.first?.error.errno == .permissionDenied)
        #expect(rig.log.isEmpty && ear.samples.isEmpty)
    }

    @Test func `without write access to settings the attributes are read`() throws {
        rig.addHub()
        rig.forbid(0, "buffer/enable")
        let token = try start()
        #expect(Self.eventually { ear.samples.count >= 3 })
        let mode = try #require(ear.modes.first)
        #expect(mode.hertz == 50)
        #expect(mode.reason?.contains("buffer/enable") == true)
        #expect(abs((ear.samples.first?.axes.z ?? 0) - 998 * 0.009806) < 1e-9)
        let times = ear.samples.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        capture.stop(token)
        #expect(rig.log.isEmpty)
    }

    @Test(arguments: ["trigger", "buffer", "scan_elements/in_accel_z_type", "libiio"])
    func `without a usable buffer attributes are read`(missing: String) throws {
        rig.addHub()
        switch missing {
        case "trigger": rig.set(0, "trigger/current_trigger", "")
        case "buffer": for name in ["enable", "length", "watermark"] { rig.set(0, "buffer/\(name)", nil) }
        case "libiio": rig.refuseBuffers(DriverError(.unsupported, subject: "iio:device0", detail: "no libiio"))
        default: rig.set(0, missing, "odd")
        }
        _ = try start()
        #expect(Self.eventually { !ear.samples.isEmpty })
        #expect(ear.modes.first?.reason != nil)
        #expect(rig.value(0, "buffer/length") == (missing == "buffer" ? "" : "2"))
    }

    @Test func `a scan of another size is not read`() throws {
        rig.addHub()
        rig.give([.success([UInt8](repeating: 1, count: 32))], scanSize: 32)
        _ = try start()
        #expect(Self.eventually { !ear.samples.isEmpty })
        #expect(ear.modes.first?.reason?.contains("32 bytes") == true)
        #expect(rig.log.last == "close iio:device0")
    }

    @Test func `a device that is unplugged ends its capture`() throws {
        rig.addHub()
        rig.give(
            [
                .success(MemoryRig.scan([1, 2, 3], at: 1)),
                .failure(DriverError(errno: .operationNotSupportedByDevice, subject: "/dev/iio:device0")),
            ], scanSize: 24)
        _ = try start()
        #expect(Self.eventually { ear.failures.count == 1 })
        #expect(ear.failures.first?.error.errno == .operationNotSupportedByDevice)
        #expect(ear.failures.first?.isFinal == true && ear.samples.count == 1)
        #expect(rig.log.last == "close iio:device0")
        // It can be started again.
        rig.give([.success(MemoryRig.scan([1, 2, 3], at: 2))], scanSize: 24)
        let second = FixTracker()
        let token = try capture.start(.accelerometer, every: 0.02) { second.hear($0) }
        #expect(Self.eventually { second.samples.count == 1 })
        capture.stop(token)
    }

    @Test func `exact zeros are not delivered, and an unreadable scale is refused`() throws {
        rig.addHub()
        let frame = MemoryRig.scan([0, 0, 0], at: 1) + MemoryRig.scan([1, 2, 3], at: 2)
        rig.give([.success(frame)], scanSize: 24)
        let token = try start()
        #expect(Self.eventually { ear.samples.map(\.time) == [2] })
        capture.stop(token)
        rig.fail(0, "in_accel_scale", .invalidArgument)
        let second = FixTracker()
        _ = try start(heardBy: second)
        #expect(Self.eventually { second.failures.count == 1 })
        #expect(second.failures.first?.error.errno == .invalidArgument)
        #expect(second.samples.isEmpty)
    }

    @Test func `a read that fails ends the reading of attributes`() throws {
        rig.addHub()
        rig.set(0, "trigger/current_trigger", "")
        rig.fail(0, "in_accel_y_raw", .resourceBusy)
        _ = try start()
        #expect(Self.eventually { ear.failures.count == 1 })
        #expect(ear.failures.first?.error.errno == .resourceBusy && ear.samples.isEmpty)
    }

    @Test(arguments: ["40000", "-32769", "one", ""])
    func `a value that its bits cannot hold ends the reading of attributes`(value: String) throws {
        rig.addHub()
        rig.forbid(0, "buffer/enable")
        rig.set(0, "in_accel_y_raw", value)
        _ = try start()
        #expect(Self.eventually { ear.failures.count == 1 })
        #expect(ear.failures.first?.error.code == .malformed && ear.failures.first?.isFinal == true)
        #expect(ear.samples.isEmpty)
    }

    @Test func `two readers of a device share its buffer, each at its own rate`() throws {
        rig.addHub(0, ["in_accel_sampling_frequency": "100", "in_accel_sampling_frequency_available": "10 100"])
        let slow = FixTracker()
        rig.give([], scanSize: 24)
        let first = try capture.start(.accelerometer, every: 0.1) { slow.hear($0) }
        #expect(Self.eventually { slow.modes.count == 1 })
        let frame = (0..<100).flatMap { MemoryRig.scan([1, 2, Int16($0 + 1)], at: Int64($0) * 10_000_000) }
        let second = try capture.start(.accelerometer, every: 0.01) { ear.hear($0) }
        #expect(Self.eventually { ear.modes.count == 1 })
        rig.give([.success(frame)], scanSize: 24)
        #expect(Self.eventually { ear.samples.count == 100 && slow.samples.count == 10 })
        #expect(slow.modes.map(\.hertz) == [10, 100])
        capture.stop(second)
        #expect(Self.eventually { slow.modes.count == 3 })
        capture.stop(first)
        #expect(Self.eventually { rig.log.filter { $0.hasPrefix("close") }.count == 3 })
        #expect(Self.eventually { rig.value(0, "in_accel_sampling_frequency") == "100" })
    }

    @Test func `a complete readable sensor is preferred, and a pinned one before all`() throws {
        rig.add(0, "flat", ["in_accel_x_raw": "1", "in_accel_y_raw": "1", "in_accel_scale": "1"])
        rig.addHub(1, readable: false)
        rig.addHub(2)
        rig.set(2, "label", "lid")
        rig.addHub(3)
        for (pin, device) in [(nil, "iio:device2"), ("lid", "iio:device2")] {
            rig.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
            let ear = FixTracker()
            let token = try capture.start(.accelerometer, pinned: pin, every: 0.02) { ear.hear($0) }
            #expect(Self.eventually { ear.modes.map(\.device) == [device] })
            capture.stop(token)
        }
        #expect(!capture.isListed(.gyroscope) && !capture.isListed(.accelerometer, pinned: "nobody"))
        #expect(throws: DriverError.self) { try capture.start(.gyroscope, every: 1) { _ in } }
    }

    @Test func `the sensor that keeps the interval is chosen before bus order`() throws {
        rig.addHub(0, ["in_accel_sampling_frequency": "10", "in_accel_sampling_frequency_available": "10 25"])
        // Some drivers list the rates of the device, not of the kind.
        rig.addHub(1, ["in_accel_sampling_frequency": "10", "sampling_frequency_available": "10 50 200"])
        rig.addHub(2, ["in_accel_sampling_frequency": "10", "in_accel_sampling_frequency_available": "10 400"])
        // Without a buffer at most a hundred a second are read; a rate that may not be set stays.
        rig.add(
            3, "slow",
            ["in_accel_x_raw": "1", "in_accel_y_raw": "1", "in_accel_z_raw": "9", "in_accel_scale": "1"])
        rig.addHub(4, ["in_accel_sampling_frequency": "10"])
        rig.forbid(4, "in_accel_sampling_frequency")
        for (hertz, device) in [(5.0, 0), (25, 0), (50, 1), (100, 1), (300, 2), (1000, 2)] {
            let ear = FixTracker()
            rig.give([], scanSize: 24)
            let token = try capture.start(.accelerometer, every: 1 / hertz) { ear.hear($0) }
            #expect(Self.eventually { !ear.modes.isEmpty })
            #expect(ear.modes.first?.device == "iio:device\(device)", "\(hertz) Hz")
            capture.stop(token)
        }
        #expect(Decimation.interval(for: 0.001, step: 1.0 / 400) == 1.0 / 400)
        #expect(Decimation.interval(for: 1, step: 1.0 / 400) == 1)
    }

    @Test(.waits) func `silence is told once, and again after a sample`() throws {
        rig.addHub()
        rig.give([], scanSize: 24)
        let token = try start()
        #expect(Self.eventually { ear.failures.count == 1 })
        // Many waits for a sample later.
        usleep(300_000)
        #expect(ear.failures.map(\.error.code) == [.timedOut] && ear.failures.first?.isFinal == false)
        rig.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        #expect(Self.eventually { ear.samples.count == 1 })
        #expect(Self.eventually { ear.failures.count == 2 })
        capture.stop(token)
    }

    @Test func `a released capture ends`() throws {
        rig.addHub()
        rig.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        do {
            let capture = MotionCapture(world: rig, hardware: rig)
            _ = try capture.start(.accelerometer, every: 0.02) { [ear] in ear.hear($0) }
            #expect(Self.eventually { ear.samples.count == 1 })
        }
        #expect(Self.eventually { rig.log.last == "close iio:device0" })
    }
}

import CaptureSupport
import DriverKit
import Foundation
import PhoneKit
import PhoneSupport
import Readiness
import SystemPackage
import Testing

#if canImport(CoreMotion)
    import CoreMotion
#else
    import RigMotion
#endif

/// `CMMotionManager` on a simulated rig.
@Suite struct MotionManagerTests {
    private let queue = OperationQueue()
    private let calls = Calls<CMAccelerometerData>()

    private func start(_ manager: CMMotionManager) {
        let calls = calls
        manager.accelerometerUpdateInterval = 1.0 / 50
        manager.startAccelerometerUpdates(to: queue) { data, error in calls.note(data, error) }
    }

    @Test func `samples are in units of gravity, with the kernel's time, on the queue and on request`() throws {
        let rig = try MotionRig()
        rig.memory.addHub()
        rig.memory.give([.success(MemoryRig.scan([0, -500, 1000], at: 7_500_000_000))], scanSize: 24)
        let manager = rig.made { CMMotionManager() }
        #expect(manager.isAccelerometerAvailable && !manager.isGyroAvailable)
        #expect(!manager.isAccelerometerActive && manager.accelerometerData == nil)
        start(manager)
        #expect(manager.isAccelerometerActive)
        #expect(eventually { calls.count == 1 })
        let data = try #require(calls.values.first)
        #expect(data.timestamp == 7.5 && data.acceleration.x == 0)
        #expect(abs(data.acceleration.y + 500 * 0.009806 / 9.80665) < 1e-12)
        #expect(abs(data.acceleration.z - 0.99993371) < 1e-6)
        #expect(manager.accelerometerData === data)
        #expect(manager.accelerometerCapture?.isBuffered == true && manager.accelerometerCapture?.frequency == 50)
        manager.stopAccelerometerUpdates()
        #expect(!manager.isAccelerometerActive && manager.accelerometerCapture == nil)
        #expect(eventually { rig.memory.log.last == "close iio:device0" })
    }

    @Test func `a gyroscope's samples are in radians a second`() throws {
        let rig = try MotionRig()
        rig.memory.add(
            0, "spin",
            ["in_anglvel_x_raw": "100", "in_anglvel_y_raw": "0", "in_anglvel_scale": "0.001", "in_anglvel_z_raw": "-1"])
        let manager = rig.made { CMMotionManager() }
        manager.startGyroUpdates()
        #expect(eventually { manager.gyroData != nil })
        let rate = try #require(manager.gyroData?.rotationRate)
        #expect(abs(rate.x - 0.1) < 1e-12 && rate.y == 0 && rate.z == -0.001)
        #expect(manager.gyroCapture?.isBuffered == false)
        manager.stopGyroUpdates()
    }

    @Test func `an axis that the chip lacks is not a number`() throws {
        let rig = try MotionRig()
        rig.memory.add(0, "spin", ["in_anglvel_z_raw": "5", "in_anglvel_scale": "1"])
        let manager = rig.made { CMMotionManager() }
        manager.startGyroUpdates()
        #expect(eventually { manager.gyroData != nil })
        let rate = try #require(manager.gyroData?.rotationRate)
        #expect(rate.x.isNaN && rate.y.isNaN && rate.z == 5)
    }

    @Test func `after a stop the handler is not called`() throws {
        let rig = try MotionRig()
        rig.memory.addHub()
        rig.memory.set(0, "trigger/current_trigger", "")
        let manager = rig.made { CMMotionManager() }
        start(manager)
        #expect(eventually { calls.count > 0 })
        queue.isSuspended = true
        manager.stopAccelerometerUpdates()
        let count = calls.count
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(calls.count == count)
    }

    @Test(arguments: ["unreadable", "denied", "restricted", "busy", "missing", "gone"])
    func `missing samples are reported with their code`(reason: String) throws {
        let rig = try MotionRig(
            grants: reason == "denied" ? "motion: denied" : nil,
            policy: reason == "restricted" ? "motion: restricted" : nil)
        if reason != "missing" { rig.memory.addHub(readable: reason != "unreadable") }
        if reason == "busy" { rig.memory.bar("/dev/iio:device0", .resourceBusy) }
        if reason == "gone" {
            rig.memory.give([.failure(.init(errno: .operationNotSupportedByDevice, subject: "it"))], scanSize: 24)
        }
        let manager = rig.made { CMMotionManager() }
        start(manager)
        #expect(eventually { !calls.codes.isEmpty })
        let isDenied = ["unreadable", "denied", "restricted"].contains(reason)
        let code = isDenied ? CMErrorNotAuthorized : CMErrorNotAvailable
        #expect(calls.codes == [Int(code.rawValue)] && calls.values.isEmpty)
        #expect(!manager.isAccelerometerActive)
        #expect(rig.memory.log.isEmpty || reason == "gone")
    }

    @Test func `if nothing is decided, the first start asks`() throws {
        let rig = try MotionRig(grants: "motion: not-determined")
        rig.memory.addHub()
        rig.memory.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        let manager = rig.made { CMMotionManager() }
        start(manager)
        #expect(eventually { calls.values.count == 1 })
        #expect(rig.test.text(of: "permissions.yaml").contains("allowed"))
    }

    @Test func `a revoked grant ends the updates`() throws {
        let rig = try MotionRig(grants: "motion: allowed")
        rig.memory.addHub()
        rig.memory.set(0, "trigger/current_trigger", "")
        let manager = rig.made { CMMotionManager() }
        start(manager)
        #expect(eventually { !calls.values.isEmpty })
        try rig.test.write("motion: denied", to: "permissions.yaml")
        #expect(eventually { !calls.codes.isEmpty })
        #expect(calls.codes == [111] && !manager.isAccelerometerActive)
        let count = calls.values.count
        usleep(100_000)
        #expect(calls.values.count == count)
    }

    @Test func `a revoked grant closes the device`() throws {
        let rig = try MotionRig(grants: "motion: allowed")
        rig.memory.addHub()
        rig.memory.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        let manager = rig.made { CMMotionManager() }
        start(manager)
        #expect(eventually { calls.values.count == 1 })
        try rig.test.write("motion: denied", to: "permissions.yaml")
        #expect(eventually { rig.memory.log.last == "close iio:device0" })
        // The manager, which closes it at its end, is still there.
        #expect(!manager.isAccelerometerActive)
    }

    @Test func `another interval restarts the device and keeps the handler`() throws {
        let rig = try MotionRig()
        rig.memory.addHub(0, ["in_accel_sampling_frequency_available": "10 50 100"])
        rig.memory.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        let manager = rig.made { CMMotionManager() }
        start(manager)
        #expect(eventually { calls.values.count == 1 })
        manager.accelerometerUpdateInterval = 0.1
        #expect(eventually { rig.memory.value(0, "in_accel_sampling_frequency") == "10" })
        rig.memory.give([.success(MemoryRig.scan([4, 5, 6], at: 2))], scanSize: 24)
        #expect(eventually { calls.values.count == 2 })
        #expect(manager.accelerometerCapture?.frequency == 10)
        manager.stopAccelerometerUpdates()
        #expect(eventually { rig.memory.value(0, "in_accel_sampling_frequency") == "50.000000" })
    }

    @Test func `a released manager restores the settings`() throws {
        let rig = try MotionRig()
        rig.memory.addHub()
        rig.memory.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        do {
            let manager = rig.made { CMMotionManager() }
            start(manager)
            #expect(eventually { calls.values.count == 1 })
            #expect(manager.isAccelerometerActive)
        }
        #expect(eventually { rig.memory.log.last == "close iio:device0" })
    }

    @Test func `two managers share a device`() throws {
        let rig = try MotionRig()
        rig.memory.addHub()
        let (one, other) = rig.made { (CMMotionManager(), CMMotionManager()) }
        one.startAccelerometerUpdates()
        other.startAccelerometerUpdates()
        #expect(eventually { one.accelerometerCapture != nil && other.accelerometerCapture != nil })
        rig.memory.give([.success(MemoryRig.scan([1, 2, 3], at: 1))], scanSize: 24)
        #expect(eventually { one.accelerometerData != nil && other.accelerometerData != nil })
        one.stopAccelerometerUpdates()
        #expect(other.isAccelerometerActive)
    }

    @Test func `an interval that no sensor keeps is told`() throws {
        let rig = try MotionRig()
        rig.memory.addHub(0, ["in_accel_sampling_frequency_available": "10 20"])
        rig.memory.addHub(1, ["in_accel_sampling_frequency_available": "10 50"])
        let manager = rig.made { CMMotionManager() }
        for (interval, device, actual) in [(0.05, "iio:device0", 0.05), (0.01, "iio:device1", 0.02)] {
            manager.accelerometerUpdateInterval = interval
            manager.startAccelerometerUpdates()
            #expect(eventually { manager.accelerometerCapture != nil })
            #expect(manager.accelerometerCapture?.device == device)
            #expect(manager.accelerometerCapture?.actualInterval == actual)
            manager.stopAccelerometerUpdates()
        }
    }

    @Test(arguments: ["unreadable", "denied", "restricted", "busy", "missing", "gone"])
    func `errors carry what fixes their cause`(reason: String) throws {
        let rig = try MotionRig(
            grants: reason == "denied" ? "motion: denied" : nil,
            policy: reason == "restricted" ? "motion: restricted" : nil)
        if reason != "missing" { rig.memory.addHub(readable: reason != "unreadable") }
        if reason == "busy" { rig.memory.bar("/dev/iio:device0", .resourceBusy) }
        if reason == "gone" {
            rig.memory.give([.failure(.init(errno: .operationNotSupportedByDevice, subject: "it"))], scanSize: 24)
        }
        let remedies = Calls<String>()
        let manager = rig.made { CMMotionManager() }
        // A change that the rig has not seen yet has no remedy.
        #expect(eventually { rig.test.state.inventory.sensors.isEmpty == (reason == "missing") })
        manager.startAccelerometerUpdates(to: queue) { _, error in
            if let error { remedies.note((error as NSError).localizedRecoverySuggestion ?? "none", nil) }
        }
        #expect(eventually { remedies.count == 1 })
        let assessment = rig.test.state.assessment
        let expected: String? =
            switch reason {
            case "busy": "stop the other program that captures from it"
            case "gone": "plug it in again"
            case "missing": assessment.result(of: .accelerometer)?.remedies.words
            default: assessment.result(of: .motion)?.remedies.words
            }
        #expect(expected != nil && remedies.values.first == expected, "\(remedies.values)")
    }

    @Test func `only a pinned sensor is used`() throws {
        let rig = try MotionRig(configuration: "require: {accelerometer: lid}")
        rig.memory.addHub(0)
        rig.memory.addHub(1)
        rig.memory.set(1, "label", "lid")
        let manager = rig.made { CMMotionManager() }
        manager.startAccelerometerUpdates()
        #expect(eventually { manager.accelerometerCapture?.device == "iio:device1" })
    }
}

import DriverKit
import DriverTesting
import Readiness
import Support
import Testing
@testable import Evdev

@Suite struct HostileTests {
    @Test func `the driver keeps the contract`() {
        let contract = DriverContract(
            EvdevDriver(),
            in: [
                "a controller": { FakeWorld.controller() },
                "a controller that says nothing": { FakeWorld.controller(reads: []) },
                "an accelerometer of udev's, denied": {
                    var world = FakeWorld()
                    world.add(
                        input: 3, named: "lis3", axes: "7", properties: "0", udev: "E:ID_INPUT_ACCELEROMETER=1\n",
                        readable: false)
                    return world
                },
                "nothing": { FakeWorld() },
            ])
        #expect(contract.run() == [])
    }

    @Test(arguments: [0, 1, 23, 25, 48, 4096])
    func `an answer of another size is no state`(count: Int) {
        #expect(AxisState([UInt8](repeating: 7, count: count)) == nil)
    }

    @Test func `pieces of events are left out`() {
        let whole = InputNode.report([.x: 1, .z: -1])
        #expect(InputEvent.events(parsing: whole).count == 3)
        #expect(InputEvent.events(parsing: whole).compactMap(\.axis) == [.x, .z])
        #expect(InputEvent.events(parsing: whole).map(\.value) == [1, -1, 0])
        for count in 0..<whole.count { #expect(InputEvent.events(parsing: Array(whole[..<count])).count == count / 24) }
    }

    @Test func `a device that never stops talking ends at the deadline`() throws {
        // Reports of other axes, without end, on a clock that each read advances.
        let clock = Clock()
        var world = FakeWorld()
        world.clock = { clock.now }
        world.add(input: 7, named: "pad", axes: "3f") { Chatter(clock) }
        let sensors = try world.found().sensors
        #expect(sensors[.accelerometer]?.availability == .available)
        #expect(sensors[.gyroscope]?.availability == .unavailable(.indeterminate))
        #expect(clock.now <= clock.began.advanced(bySeconds: 2.1))
    }

    /// No arithmetic traps on them, and no sensor measures them.
    @Test func `the extremes of the kernel's numbers are faulty`() throws {
        let reads = [Result<[UInt8], DriverError>.success(InputNode.report([.x: .min, .y: .max, .rz: .min]))]
        let sensors = try FakeWorld.controller(reads: reads).found().sensors
        #expect(sensors[.accelerometer]?.availability == .unavailable(.faulty))
        #expect(sensors[.accelerometer]?.reading == nil)
    }
}

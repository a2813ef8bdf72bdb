import DriverKit
import Readiness
import Support
import Synchronization
import SystemPackage
@testable import Evdev

/// The node of an input device, from a script: the state of its axes, and the reads that follow.
final class InputNode: Channel {
    private struct State {
        var answers: [[UInt8]] = []
        var reads: [Result<[UInt8], DriverError>]
        var isCancelled = false
    }
    private let axes: [MotionAxis: (value: Int32, resolution: Int32)]
    private let state: Mutex<State>

    init(_ axes: [MotionAxis: (value: Int32, resolution: Int32)], reads: [Result<[UInt8], DriverError>] = []) {
        self.axes = axes
        state = Mutex(State(reads: reads))
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        guard frame.count == 1, let axis = MotionAxis(rawValue: UInt16(frame[0])), let known = axes[axis] else {
            throw DriverError(errno: .invalidArgument, subject: "the scripted node")
        }
        let numbers = [known.value, -32768, 32767, 16, 0, known.resolution]
        state.withLock { $0.answers.append(numbers.flatMap(Self.bytes)) }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let next = state.withLock { state -> Result<[UInt8], DriverError> in
            if !state.answers.isEmpty { return .success(state.answers.removeFirst()) }
            if !state.reads.isEmpty { return state.reads.removeFirst() }
            return .failure(DriverError(.timedOut, subject: "the scripted node"))
        }
        return try next.get()
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    private static func bytes(_ number: Int32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// One read: the events of some axes, and the end of the report.
    static func report(_ values: KeyValuePairs<MotionAxis, Int32>, ends: Bool = true) -> [UInt8] {
        values.flatMap { event(3, $0.key.rawValue, $0.value) } + (ends ? event(0, 0, 0) : [])
    }

    static func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> [UInt8] {
        [UInt8](repeating: 0x5a, count: 16) + bytes(Int32(type) | Int32(code) << 16) + bytes(value)
    }
}

extension FakeWorld {
    /// Adds an input device below a place in `/sys/devices`; returns its event interface.
    @discardableResult
    mutating func add(
        input number: Int, named name: String, at place: String = "platform/pad", axes: String,
        properties: String = "40", hasKeys: Bool = false, udev: String? = nil, readable: Bool = true,
        node: (@Sendable () throws(DriverError) -> any Channel)? = nil
    ) -> String {
        let input = "/sys/devices/\(place)/input/input\(number)"
        let event = "\(input)/event\(number)"
        devices["input", default: []] += [FilePath(input), FilePath(event)]
        add("\(input)/name", name + "\n")
        add("\(input)/properties", properties + "\n")
        add("\(input)/capabilities/abs", axes + "\n")
        add("\(input)/capabilities/ev", hasKeys ? "b\n" : "9\n")
        add("\(event)/uevent", "MAJOR=13\nMINOR=\(64 + number)\nDEVNAME=input/event\(number)\n")
        if let udev { add("/run/udev/data/c13:\(64 + number)", udev) }
        nodes["/dev/input/event\(number)"] = NodeStatus(
            owner: 0, group: 104, mode: 0o660, readable: readable, right: readable ? .group(104) : nil)
        if let node { channels[.evdev("/dev/input/event\(number)")] = node }
        return event
    }

    /// A controller as `hid-playstation` shows it, with a node of which each opening gives the reads.
    static func controller(
        reads: [Result<[UInt8], DriverError>] = [.success(InputNode.report([.x: 4096, .y: 0, .z: -8192, .rx: 1024]))],
        values: Int32 = 0
    ) -> FakeWorld {
        var world = FakeWorld()
        world.add(input: 7, named: "DualSense Motion Sensors", at: "virtual/misc/uhid/0003:054C:0CE6.0001", axes: "3f")
        {
            var axes: [MotionAxis: (value: Int32, resolution: Int32)] = [:]
            for axis in MotionAxis.allCases { axes[axis] = (values, axis.rawValue < 3 ? 8192 : 1024) }
            return InputNode(axes, reads: reads)
        }
        return world
    }

    /// What the driver finds in this world, by kind.
    func found(_ depth: Depth = .sample) throws -> (sensors: [SensorKind: Sensor], enumeration: Enumeration) {
        let deadline = now().advanced(bySeconds: 2)
        let session = try EvdevDriver().open(self, until: deadline)
        let enumeration = try session.enumeration(depth, until: deadline)
        var sensors: [SensorKind: Sensor] = [:]
        for candidate in enumeration.candidates {
            sensors[candidate.sensor.kind] =
                candidate.isOpen ? session.look(at: candidate, depth, until: deadline).sensor : candidate.sensor
        }
        return (sensors, enumeration)
    }
}

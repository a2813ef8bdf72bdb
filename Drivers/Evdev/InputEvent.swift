internal import DriverKit
internal import Readiness

/// An absolute axis that can carry motion, by the kernel's code: `ABS_X` to `ABS_RZ`.
enum MotionAxis: UInt16, CaseIterable, Sendable, Hashable {
    case x, y, z, rx, ry, rz

    /// The three axes of a kind: a device with `INPUT_PROP_ACCELEROMETER` accelerates along the first and turns about
    /// the others.
    static func axes(of kind: SensorKind) -> [MotionAxis] { kind == .accelerometer ? [.x, .y, .z] : [.rx, .ry, .rz] }

    /// The axis of the sensor, such as `x` for `ABS_RX`.
    var letter: String { String("\(self)".suffix(1)) }

    var name: String { "ABS_\("\(self)".uppercased())" }
}

/// The state of an axis: numbers of a `struct input_absinfo`.
///
/// These are six numbers of 32 bits in the machine's order, which is little-endian on every machine that this is built
/// for. The kernel's last value stands at 0 until the driver has reported one. Source: `include/uapi/linux/input.h`.
struct AxisState: Sendable, Equatable {
    static let size = 24

    var value: Int32
    /// Units per g, or per degree a second, for a device with `INPUT_PROP_ACCELEROMETER`; 0 if its driver does not say.
    let resolution: Int32
    /// The least and the greatest value that its driver declares; nil if it declares none.
    let limits: ClosedRange<Double>?

    /// Parses an answer; nil unless it has the structure's size.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let value = bytes.uint32(at: 0), let least = bytes.uint32(at: 4),
            let greatest = bytes.uint32(at: 8), let resolution = bytes.uint32(at: 20)
        else { return nil }
        (self.value, self.resolution) = (Int32(bitPattern: value), Int32(bitPattern: resolution))
        let (first, last) = (Double(Int32(bitPattern: least)), Double(Int32(bitPattern: greatest)))
        limits = first < last ? first...last : nil
    }
}

/// An event: `struct input_event` without its time.
struct InputEvent: Sendable, Equatable {
    /// The structure's size where `long` has 64 bits; type, code and value are its last eight bytes.
    static let size = 24

    let type, code: UInt16
    let value: Int32

    /// `EV_SYN` with `SYN_REPORT`: what was told since the last one belongs together.
    var endsReport: Bool { type == 0 && code == 0 }
    /// `EV_SYN` with `SYN_DROPPED`: events were lost, since nobody read them in time.
    var reportsLoss: Bool { type == 0 && code == 3 }
    /// `EV_MSC` with `MSC_TIMESTAMP`: the device has measured, also where nothing has changed.
    var isTimestamp: Bool { type == 4 && code == 5 }
    /// The axis, if it is an `EV_ABS` of one that can carry motion.
    var axis: MotionAxis? { type == 3 ? MotionAxis(rawValue: code) : nil }

    /// Parses the bytes of one read; a piece of an event at the end, which the kernel never gives, is left out.
    static func events(parsing bytes: [UInt8]) -> [InputEvent] {
        stride(from: size, through: bytes.count, by: size).compactMap { end in
            guard let type = bytes.uint16(at: end - 8), let code = bytes.uint16(at: end - 6),
                let value = bytes.uint32(at: end - 4)
            else { return nil }
            return InputEvent(type: type, code: code, value: Int32(bitPattern: value))
        }
    }
}

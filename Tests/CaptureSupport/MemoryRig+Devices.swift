internal import DriverKit

extension MemoryRig {
    /// Adds a sensor hub's accelerometer: 16 bits in cells of 32, 50 Hz, with a trigger and timestamps of the monotonic
    /// clock.
    package func addHub(_ device: Int = 0, readable: Bool = true, _ changes: [String: String] = [:]) {
        var attributes = [
            "in_accel_x_raw": "12", "in_accel_y_raw": "-31", "in_accel_z_raw": "998", "in_accel_scale": "0.009806",
            "in_accel_offset": "0", "in_accel_sampling_frequency": "50.000000", "current_timestamp_clock": "monotonic",
            "trigger/current_trigger": "accel_3d-dev\(device)", "buffer/enable": "0", "buffer/length": "2",
            "buffer/watermark": "1", "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "3",
            "scan_elements/in_timestamp_type": "le:s64/64>>0",
        ]
        for (index, axis) in ["x", "y", "z"].enumerated() {
            attributes["scan_elements/in_accel_\(axis)_en"] = index == 0 ? "1" : "0"
            attributes["scan_elements/in_accel_\(axis)_index"] = "\(index)"
            attributes["scan_elements/in_accel_\(axis)_type"] = "le:s16/32>>0"
        }
        add(device, "accel_3d", attributes.merging(changes) { _, new in new }, readable: readable)
    }

    /// A scan of that hub: three values in 16 bits with undefined bits above them, four bytes of padding, the time.
    package static func scan(_ values: [Int16], at time: Int64) -> [UInt8] {
        values.flatMap { bytes(UInt32(UInt16(bitPattern: $0)) | 0xdead_0000) } + [0xa5, 0xa5, 0xa5, 0xa5]
            + bytes(UInt64(bitPattern: time))
    }

    /// The size of one scan of that hub in bytes.
    package static let scanSize = 24

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

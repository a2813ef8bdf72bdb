import DriverKit
import IIO
import Readiness
import SystemPackage

/// The names of a device's attributes, one a line.
func fuzzIIOAttributeNames(_ bytes: [UInt8]) {
    let names = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    for name in names { _ = AttributeName(name) }
    _ = SensorPlan.plans(for: names)
}

/// The value of an attribute, a mount matrix, a sample format.
func fuzzIIOValues(_ bytes: [UInt8]) {
    if let value = AttributeValue(bytes), value.number.isNaN { fatalError("not a number was accepted") }
    _ = SampleFormat(bytes)?.holds(32768)
    _ = MountMatrix(bytes)?.applied(to: AxesReading(x: 1, y: nil, z: 3, unit: .raw))
}

/// A `uevent` file or a file of udev's database.
func fuzzProperties(_ bytes: [UInt8]) {
    _ = Properties(parsing: bytes)["MODALIAS"]
    _ = Properties(parsing: bytes, prefix: "E:")["ACCEL_MOUNT_MATRIX"]
}

/// The description of a libiio context.
func fuzzIIOContext(_ bytes: [UInt8]) {
    guard let context = try? ContextDescription(parsing: bytes) else { return }
    for device in context.devices { _ = device.plans }
}

/// The answers of iiod, cut into frames of a length that the first byte tells.
func fuzzIIODAnswers(_ bytes: [UInt8]) {
    let size = Int(bytes.first ?? 0) + 1
    var rest = bytes.dropFirst()
    var answers = IIODAnswers()
    while !rest.isEmpty {
        answers.add(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        do throws(IIODAnswers.Fault) {
            while let answer = try answers.answer(limit: 4096) {
                if case .bytes(let value) = answer, value.count > 4096 { fatalError("longer than its bound") }
            }
        } catch {
            return
        }
    }
}

/// The report descriptor of a HID sensor hub, and a module's path.
func fuzzIIOChips(_ bytes: [UInt8]) {
    _ = HubDescriptor.kinds(in: bytes)
    _ = Module(String(decoding: bytes, as: UTF8.self)).kinds
}

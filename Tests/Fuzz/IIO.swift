import DriverKit
@testable import IIO
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

/// The buffer settings of a device, then a batch of scans: lines of INDEX FORMAT, an empty line, bytes.
func fuzzIIOScans(_ bytes: [UInt8]) {
    var rest = bytes[...]
    var elements: [ScanLayout.Element] = []
    while elements.count < 16, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        guard let index = line.first else { break }
        guard let format = CellFormat(line.dropFirst()) else { continue }
        if format.size > 512 { fatalError("a cell beyond its bound") }
        elements.append(("c\(elements.count)", Int(index), format))
    }
    let scans = Array(rest)
    _ = SamplingChoice.value(for: 50, among: scans)
    _ = CaptureClock(scans).difference
    guard let layout = ScanLayout(elements) else { return }
    var pace = Decimation(interval: 0.1, step: 0.02)
    for start in stride(from: 0, to: scans.count, by: layout.size) {
        for (place, element) in elements.enumerated() {
            guard let cell = layout.cell(of: "c\(place)"),
                let number = cell.format.integer(at: start + cell.place, in: scans)
            else { continue }
            // Beyond 53 bits a number is rounded, up to the first one that no longer fits.
            if !element.format.value.holds(Double(number)), element.format.value.bits <= 53 {
                fatalError("a value beyond its bits")
            }
            _ = pace.passes(Double(number) / 1e9)
        }
    }
}

/// A `uevent` file or a file of udev's database.
func fuzzProperties(_ bytes: [UInt8]) {
    _ = Properties(parsing: bytes)["MODALIAS"]
    _ = Properties(parsing: bytes, prefix: "E:")["ACCEL_MOUNT_MATRIX"]
}

/// The description of a libiio context.
func fuzzIIOContext(_ bytes: [UInt8]) {
    guard let context = try? ContextDescription(parsing: bytes, of: "ip:fuzz") else { return }
    for device in context.devices { _ = device.plans }
}

/// The answers of iiod, cut into frames of a length that the first byte gives.
func fuzzIIODAnswers(_ bytes: [UInt8]) {
    let size = Int(bytes.first ?? 0) + 1
    var rest = bytes.dropFirst()
    var answers = IIODAnswers(from: "ip:fuzz")
    while !rest.isEmpty {
        answers.add(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        do throws(DriverError) {
            while let answer = try answers.answer(limit: 4096) {
                if case .bytes(let value) = answer, value.count > 4096 { fatalError("longer than its bound") }
            }
        } catch {
            return
        }
    }
}

/// The answers of libiio 1.x's iiod, cut into frames of a length that the first byte gives; the first is its description.
func fuzzIIODResponses(_ bytes: [UInt8]) {
    let size = Int(bytes.first ?? 0) + 1
    var rest = bytes.dropFirst()
    var answers = IIODAnswers(from: "ip:fuzz")
    while !rest.isEmpty {
        answers.add(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        do throws(DriverError) {
            while let answer = try answers.response(limit: 4096) {
                guard case .bytes(let value) = answer else { continue }
                if value.count > 4096 { fatalError("longer than its bound") }
                fuzzContextNumbers(value)
            }
        } catch {
            return
        }
    }
}

/// The numbers of a context's attributes, each of which must be asked for within its bits.
private func fuzzContextNumbers(_ bytes: [UInt8]) {
    let text = (try? LibZstd().expanded(bytes, limit: 1 << 16)) ?? bytes
    guard let context = try? ContextDescription(parsing: text, of: "ip:fuzz") else { return }
    for device in context.devices {
        for attribute in device.attributes.values { _ = context.command(for: attribute, of: device.id)?.frame }
    }
}

/// The report descriptor of a HID sensor hub, and a module's path.
func fuzzIIOChips(_ bytes: [UInt8]) {
    _ = HubDescriptor.kinds(in: bytes)
    _ = Module(String(decoding: bytes, as: UTF8.self)).kinds
}

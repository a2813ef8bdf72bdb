package import DriverKit
package import Readiness
internal import SystemPackage

package protocol AttributeReader {
    /// The bytes of an attribute; one read is one transfer on the sensor's bus.
    func read(_ attribute: String) throws(DriverError) -> [UInt8]
    /// The attribute's name in evidence.
    func place(of attribute: String) -> String
    /// The bits of a value's channel, if known.
    func format(of value: String) -> SampleFormat?
    /// Whether a program captures from the device; asked after a read failed with EBUSY.
    func isCaptured() -> Bool
    /// A mount matrix that takes precedence over the device's own, with its name.
    func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])?
}

extension AttributeReader {
    func answer(_ attribute: String) -> Result<[UInt8], DriverError> {
        Result { () throws(DriverError) in try read(attribute) }
    }
}

package struct LocalAttributes: AttributeReader {
    private let device: IIODevice
    private let world: any World

    package init(_ device: IIODevice, in world: any World) {
        self.device = device
        self.world = world
    }

    package func read(_ attribute: String) throws(DriverError) -> [UInt8] {
        // The kernel returns a page at most.
        try world.contents(of: device.path.appending(attribute), limit: 4096)
    }

    package func place(of attribute: String) -> String { device.path.appending(attribute).string }

    package func format(of value: String) -> SampleFormat? {
        guard device.attributes.contains("scan_elements"), value.hasSuffix("_raw") else { return nil }
        return (try? read("scan_elements/\(value.dropLast(4))_type")).flatMap { SampleFormat($0) }
    }

    package func isCaptured() -> Bool {
        let folder = device.attributes.contains("buffer") ? "buffer" : "buffer0"
        return (try? read("\(folder)/enable")).flatMap { AttributeValue($0) }?.number == 1
    }

    package func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? {
        guard kind == .accelerometer else { return nil }
        return device.udev["ACCEL_MOUNT_MATRIX"].map { ("udev's ACCEL_MOUNT_MATRIX", Array($0.utf8)) }
    }
}

/// The value of a numeric attribute: plain decimals, as the kernel prints them in every locale.
package struct AttributeValue: Sendable, Equatable {
    /// The number; may be infinite if there are too many digits for a `Double`.
    package let number: Double
    package let text: String

    /// Parses an optional sign, digits and an optional fraction, then white space; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        var digits = bytes[...]
        while let last = digits.last, [0, 9, 10, 13, 32].contains(last) { digits.removeLast() }
        guard digits.count <= 1024 else { return nil }
        var rest = digits
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard
            parts.allSatisfy({ part in
                !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            })
        else { return nil }
        text = String(decoding: digits, as: UTF8.self)
        // `Double` reads the C locale's format; beyond its range it returns infinity.
        guard let number = Double(text) else { return nil }
        self.number = number
    }
}

/// Bytes in printable form: at most `limit` of them, in quotes, unprintable ones in hexadecimal.
package func quoted(_ bytes: some Collection<UInt8>, limit: Int = 48) -> String {
    var text = "\""
    for byte in bytes.prefix(limit) {
        switch byte {
        case 0x0a: text += "\\n"
        case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(byte))
        default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
    return text + (bytes.count > limit ? "…\"" : "\"")
}

/// The bits of a channel's raw value.
///
/// Shape: `le:s12/16>>4`, with `X2` for repeats and a capital sign if the value needs no masking (libiio).
/// Source: kernel ABI `sysfs-bus-iio`, `scan_elements/…_type`.
package struct SampleFormat: Sendable, Hashable {
    package let isSigned: Bool
    /// The number of significant bits, 1 to 64.
    package let bits: Int

    package init?(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "le" || parts[0] == "be", let sign = parts[1].first,
            "suSU".contains(sign), let slash = parts[1].firstIndex(of: "/"),
            let bits = Int(parts[1].dropFirst().prefix(upTo: slash)), 1...64 ~= bits
        else { return nil }
        isSigned = sign == "s" || sign == "S"
        self.bits = bits
    }

    package func holds(_ number: Double) -> Bool {
        let limit = Double(sign: .plus, exponent: isSigned ? bits - 1 : bits, significand: 1)
        return isSigned ? -limit <= number && number < limit : 0 <= number && number < limit
    }

    /// The least and the greatest value; nil for a format of more than 62 bits.
    package var limits: ClosedRange<Int>? {
        guard bits <= 62 else { return nil }
        return isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
    }
}

/// The sampling rate of a sensor, from its `sampling_frequency`.
///
/// Source: kernel ABI `sysfs-bus-iio`.
package struct SamplingFrequency: Sendable, Equatable {
    /// In Hz, from one sample in a quarter of an hour to ten million a second.
    package let hertz: Double

    /// Parses an attribute's value; nil if no sensor can have it.
    package init?(_ bytes: [UInt8]) {
        guard let value = AttributeValue(bytes), 0.001...10_000_000 ~= value.number else { return nil }
        hertz = value.number
    }

    /// The frequency with at most three decimals, such as `12.5 Hz`.
    package var clause: String {
        let text = "\((hertz * 1000).rounded() / 1000)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " Hz"
    }
}

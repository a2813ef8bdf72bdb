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
    /// Whether the kernel still lists the device; nil if unknown. Asked after a read failed.
    func isListed(with attribute: String) -> Bool?
    /// A mount matrix that takes precedence over the device's own, with its name.
    func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])?
}

extension AttributeReader {
    package func isListed(with attribute: String) -> Bool? { nil }

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

    /// A device that is being removed loses its attributes before its folder.
    package func isListed(with attribute: String) -> Bool? {
        let isListed = world.isListed(device.path)
        return isListed == true ? world.absence(of: device.path.appending(attribute)) == nil : isListed
    }

    package func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? {
        guard kind == .accelerometer else { return nil }
        return device.udev["ACCEL_MOUNT_MATRIX"].map { ("udev's ACCEL_MOUNT_MATRIX", Array($0.utf8)) }
    }
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

    /// The least and the greatest value as floating-point numbers.
    var range: ClosedRange<Double> {
        let limit = Double(sign: .plus, exponent: isSigned ? bits - 1 : bits, significand: 1)
        return isSigned ? -limit...limit - 1 : 0...limit - 1
    }

    /// What is wrong with a value that it does not hold.
    func rejection(of value: AttributeValue) -> String {
        let words = "is outside its \(bits) \(isSigned ? "signed" : "unsigned") bits"
        let power = Double(sign: .plus, exponent: bits, significand: 1)
        guard isSigned, value.number >= power / 2, value.number < power,
            let wrapped = Int(exactly: value.number - power)
        else { return words }
        return "\(words); it looks like an unsigned \(bits)-bit wrap-around of \(wrapped)"
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

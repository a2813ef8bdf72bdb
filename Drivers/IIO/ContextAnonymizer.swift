package import DriverKit

/// Erases what a libiio context says about the board that serves it: its description and attributes, none of which
/// belongs to a sensor.
///
/// Scans of a buffer are values, and stay as they are.
struct ContextAnonymizer: FrameAnonymizer {
    func covers(_ endpoint: String) -> Bool {
        Self.isBuffer(endpoint) || ["ip:", "usb:", "serial:", "xml:"].contains { endpoint.hasPrefix($0) }
    }

    private static func isBuffer(_ endpoint: String) -> Bool { endpoint.hasPrefix("\(Endpoint.iioBufferKind) at ") }

    /// The board's name, if its description contains one as in `uname`: `… Linux NAME RELEASE #…`.
    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData] {
        Self.isBuffer(endpoint) ? [] : Self.hosts(in: frame).map { .host($0) }
    }

    /// Each answer is one frame, whose length may change.
    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] {
        Self.isBuffer(endpoint)
            ? frames
            : frames.map { frame in names.replacing(inStream: [frame]).first.map { Self.erasing(in: $0) } ?? [] }
    }

    private static func hosts(in bytes: [UInt8]) -> [String] {
        guard isContext(bytes), let range = spans(in: bytes).first else { return [] }
        let words = bytes[range].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard let place = words.firstIndex(of: "Linux"), place + 1 < words.count else { return [] }
        return [words[place + 1]]
    }

    /// The XML with its description and the values of its attributes erased; other bytes are unchanged.
    private static func erasing(in bytes: [UInt8]) -> [UInt8] {
        guard isContext(bytes) else { return bytes }
        var result = bytes
        for range in spans(in: bytes) { for place in range { result[place] = UInt8(ascii: "x") } }
        return result
    }

    private static func isContext(_ bytes: [UInt8]) -> Bool { bytes.prefix(16).starts(with: "<?xml".utf8) }

    /// The ranges of the value of `description` in `<context …>` and of `value` in each `<context-attribute …>`.
    private static func spans(in bytes: [UInt8]) -> [Range<Int>] {
        let context = Array("<context".utf8)
        var spans: [Range<Int>] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            rest = bytes[end...].dropFirst()
            let tag = bytes[start..<end]
            guard tag.starts(with: context) else { continue }
            spans += [" description=", " value="].compactMap { value(of: Array($0.utf8), in: tag) }
        }
        return spans
    }

    private static func value(of name: [UInt8], in tag: ArraySlice<UInt8>) -> Range<Int>? {
        guard let open = tag.indices.first(where: { tag[$0...].starts(with: name) }).map({ $0 + name.count }),
            open < tag.endIndex, let close = tag[(open + 1)...].firstIndex(of: tag[open])
        else { return nil }
        return (open + 1)..<close
    }
}

extension Endpoint {
    /// The kind of a device's buffer, which is read for a measurement.
    package static let iioBufferKind = "iio buffer"
}

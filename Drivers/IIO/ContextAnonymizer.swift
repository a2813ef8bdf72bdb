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
        guard !Self.isBuffer(endpoint), let range = Self.spans(in: frame).first else { return [] }
        let words = frame[range].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard let place = words.firstIndex(of: "Linux"), place + 1 < words.count else { return [] }
        return [.host(words[place + 1])]
    }

    /// Each answer is one frame, whose length may change.
    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] {
        if Self.isBuffer(endpoint) { return frames }
        return frames.map { frame in
            var result = names.replacing(inStream: [frame]).first ?? []
            for place in Self.spans(in: result).joined() { result[place] = UInt8(ascii: "x") }
            return result
        }
    }

    /// The ranges of the value of `description` in `<context …>` and of `value` in each `<context-attribute …>`; none in other
    /// bytes than XML.
    private static func spans(in bytes: [UInt8]) -> [Range<Int>] {
        guard bytes.starts(with: "<?xml".utf8) else { return [] }
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

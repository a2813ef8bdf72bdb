/// What paths reveal about the owner of a rig.
enum WrittenPath {
    /// The serial numbers in udev's permanent links, such as `/dev/serial/by-id/usb-MAKER_MODEL_SERIAL-if00`.
    static func serials(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        parts(of: bytes, after: "/by-id/").flatMap { name in
            // Maker and model rarely have as many digits; one that does is treated as a number too.
            name.split { !isWord($0) }.filter { part in part.count >= 6 && part.count(where: isDigit) >= 3 }
        }
    }

    /// The names of the users whose homes paths lead into.
    static func homes(in bytes: [UInt8]) -> [String] {
        parts(of: bytes, after: "home/").map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text after each occurrence of a string, up to the end of the path component.
    private static func parts(of bytes: [UInt8], after text: String) -> [ArraySlice<UInt8>] {
        let mark = Array(text.utf8)
        guard let first = mark.first else { return [] }
        var parts: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let place = rest.firstIndex(of: first) {
            rest = bytes[place...]
            guard rest.starts(with: mark) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(mark.count)
            let part = rest.prefix { isWord($0) || "._:-".utf8.contains($0) }
            if !part.isEmpty { parts.append(part) }
        }
        return parts
    }
}

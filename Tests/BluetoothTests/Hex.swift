/// The bytes of hexadecimal text; what follows `//` on a line is a remark.
func hex(_ text: String) -> [UInt8] {
    text.split(separator: "\n").flatMap { line -> [UInt8] in
        let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
        return line[..<end].split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
}

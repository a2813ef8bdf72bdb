extension String {
    /// The text with each scalar replaced that XML 1.0 and YAML 1.1 forbid or treat as a line break.
    ///
    /// Tab, line feed and what both call printable are kept; a carriage return is replaced.
    var printable: String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x9, 0xa, 0x20...0x7e, 0xa0...0x2027, 0x202a...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd,
                0x1_0000...0x10_ffff:
                scalars.append(scalar)
            default: scalars.append("\u{fffd}")
            }
        }
        return String(scalars)
    }
}

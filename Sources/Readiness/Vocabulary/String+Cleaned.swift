extension String {
    /// The text on one line, without what a device's name or a peer's words might do to a terminal.
    package var cleaned: String {
        // Most are printable ASCII alone.
        if utf8.allSatisfy({ 0x20...0x7e ~= $0 }) { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                        " "
                    default: scalar
                    }
                }))
    }
}

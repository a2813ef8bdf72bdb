extension String {
    /// The text in ASCII, for a terminal or a log whose characters are not UTF-8: similar characters in place of others,
    /// else `?`.
    package var inASCII: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        // By scalars: a combining mark must not take the quote before it out of a command.
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isASCII { text.unicodeScalars.append(scalar) } else { text += spellings[scalar] ?? "?" }
        }
    }
}

/// How characters are written in ASCII: never with one that a shell reads within quotes, since the text may be a command.
private let spellings: [Unicode.Scalar: String] = [
    // Marks of results and parts of pictures: one character each, as wide as before. The plus is that of systemd
    // (src/basic/glyph-util.c).
    "✓": "+", "✗": "x", "·": "-", "•": "*", "–": "-", "—": "-", "‐": "-", "‑": "-", "↑": "^", "↓": "v", "▸": ">",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "█": "#",
    // Numbers and units.
    "−": "-", "×": "x", "÷": "/", "±": "+-", "√": "sqrt", "∞": "inf", "¹": "^1", "²": "^2", "³": "^3", "½": "1/2",
    "°": " deg", "µ": "u", "μ": "u", "σ": "sigma", "Ω": "ohm", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    // Arrows and spaces.
    "→": "->", "←": "<-", "↔": "<->", "…": "...",
    "\u{a0}": " ", "\u{2007}": " ", "\u{2009}": " ", "\u{202f}": " ",
]

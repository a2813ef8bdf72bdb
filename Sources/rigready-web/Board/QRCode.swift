internal import CQREncode

/// A QR code of a text, for a terminal; libqrencode encodes it.
package struct QRCode {
    private let width: Int
    private let cells: [Bool]

    /// Encodes a text in eight-bit mode; nil if it is longer than a QR code holds (2,953 bytes).
    package init?(_ text: String) {
        guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { unsafe QRcode_free(code) }
        width = unsafe Int(code.pointee.width)
        guard let start = unsafe code.pointee.data else { return nil }
        // The lowest bit of a cell is 1 if it is dark.
        cells = (0..<width * width).map { unsafe start[$0] & 1 == 1 }
    }

    /// Lines of a terminal, two rows of the code in each: dark on light whatever the terminal's colours, with a margin of
    /// four cells.
    ///
    /// Source: ISO/IEC 18004, "Quiet zone".
    package var lines: [String] {
        let margin = 4
        func isDark(_ row: Int, _ column: Int) -> Bool {
            0..<width ~= row && 0..<width ~= column && cells[row * width + column]
        }
        return stride(from: -margin, to: width + margin, by: 2).map { row in
            let line = (-margin..<width + margin).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1b}[30;107m" + line.joined() + "\u{1b}[0m"
        }
    }
}

package import DriverKit
internal import Linux

/// A QR code of a text, for a terminal.
///
/// Drawn by libqrencode, which is opened at first use. Signatures as in qrencode.h 4.1.
package struct QRCode {
    private let width: Int
    private let cells: [Bool]

    /// Encodes a text; throws `unsupported` without libqrencode.
    package init(_ text: String) throws(DriverError) {
        let library = try DynamicLibrary("libqrencode.so.4")
        let encode: @convention(c) (UnsafePointer<CChar>, CInt, CInt) -> UnsafeMutableRawPointer? =
            try unsafe library.function("QRcode_encodeString8bit")
        let free: @convention(c) (UnsafeMutableRawPointer?) -> Void = try unsafe library.function("QRcode_free")
        guard let code = unsafe encode(text, 0, 0) else {
            throw DriverError(.unsupported, subject: "libqrencode", detail: "the text is too long for a QR code")
        }
        defer { unsafe free(code) }
        // A `QRcode`: its version and width, and a pointer to its cells.
        width = unsafe Int(code.load(fromByteOffset: 4, as: CInt.self))
        guard 1...177 ~= width,
            let start = unsafe code.load(fromByteOffset: 8, as: UnsafePointer<UInt8>?.self)
        else {
            throw DriverError(.malformed, subject: "libqrencode", detail: "it gives a code \(width) wide")
        }
        // The lowest bit tells whether a cell is dark.
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

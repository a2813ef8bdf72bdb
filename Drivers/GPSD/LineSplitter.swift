/// Cuts a stream of bytes into lines, whatever the sizes in which it comes.
///
/// Holds at most one line of `limit` bytes: the rest of a longer one is passed over up to its end, and counted.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var held: [UInt8] = []
    private var isSkipping = false
    /// How many lines were passed over for their length.
    package private(set) var oversized = 0

    /// Makes a splitter; gpsd's longest answers are some ten KiB a device.
    package init(limit: Int = 64 << 10) { self.limit = limit }

    /// The lines that these bytes complete, without their ends (LF or CR LF); empty lines are left out.
    package mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            if !isSkipping {
                if held.last == UInt8(ascii: "\r") { held.removeLast() }
                if !held.isEmpty { lines.append(held) }
            }
            held = []
            isSkipping = false
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        guard !isSkipping else { return }
        guard held.count + piece.count <= limit else {
            held = []
            isSkipping = true
            oversized += 1
            return
        }
        held += piece
    }
}

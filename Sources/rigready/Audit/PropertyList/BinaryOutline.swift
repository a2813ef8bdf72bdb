/// The structure of a binary property list: the places of its objects and what they contain.
///
/// Source: the format's description in Apple's CFBinaryPList.c.
struct BinaryOutline {
    static let mark = Array("bplist00".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsetSize, referenceSize, count, top, table: Int
    /// Nesting and number of values below each measured object; a negative nesting while it is measured.
    private var known: [Int: (depth: Int, values: Int)] = [:]

    /// Checks the trailer, and all objects below the top one.
    init(checking bytes: [UInt8]) throws(PropertyListError) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerSize
        guard trailer > Self.mark.count else {
            throw .at(bytes.count, "expected a trailer of 32 bytes, found the end of the file")
        }
        func number(at offset: Int) throws(PropertyListError) -> Int {
            let value = bytes[(trailer + offset)..<(trailer + offset + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let number = Int(exactly: value) else {
                throw .at(trailer + offset, "expected a number within the file")
            }
            return number
        }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        count = try number(at: 8)
        top = try number(at: 16)
        table = try number(at: 24)
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
            throw .at(trailer + 6, "expected sizes from 1 to 8 bytes; is the file cut off?")
        }
        guard 1...PropertyList.valueLimit ~= count else {
            throw .at(trailer + 8, "expected 1 to \(PropertyList.valueLimit) objects, found \(count)")
        }
        guard top < count else { throw .at(trailer + 16, "expected the number of an object, found \(top)") }
        guard table >= Self.mark.count, table <= trailer, count * offsetSize <= trailer - table else {
            throw .at(
                trailer + 24, "expected a table of \(count) offsets before the trailer, found it at byte \(table)")
        }
        _ = try measure(top, depth: 1, from: Self.mark.count)
    }

    /// Returns the depth and number of values of an object when expanded: one that is contained twice counts twice.
    private mutating func measure(_ object: Int, depth: Int, from holder: Int) throws(PropertyListError) -> (
        depth: Int, values: Int
    ) {
        guard object < count else { throw .at(holder, "expected the number of an object, found \(object)") }
        if let known = known[object] {
            guard known.depth >= 0 else {
                throw .at(holder, "expected a list that ends, found one that contains itself")
            }
            try PropertyList.checkLimits(depth: depth + known.depth, values: known.values, at: holder)
            return known
        }
        try PropertyList.checkLimits(depth: depth, values: 0, at: holder)
        known[object] = (-1, 0)
        var found = (depth: 0, values: 1)
        let offset = number(at: table + object * offsetSize, size: offsetSize)
        for child in try children(at: offset) {
            let below = try measure(child, depth: depth + 1, from: offset)
            found = (max(found.depth, below.depth + 1), found.values + below.values)
            try PropertyList.checkLimits(depth: depth, values: found.values, at: offset)
        }
        known[object] = found
        return found
    }

    /// Returns the objects that the one at an offset contains; throws if it is invalid, or does not end before the
    /// table.
    private func children(at offset: Int) throws(PropertyListError) -> [Int] {
        guard offset >= Self.mark.count, offset < table else {
            throw .at(min(max(offset, 0), bytes.count), "expected an object within the file")
        }
        let kind = bytes[offset] >> 4
        let nibble = Int(bytes[offset] & 0xf)
        var start = offset + 1
        let length: Int
        switch (kind, nibble) {
        case (0x0, 0), (0x0, 8), (0x0, 9): length = 0
        case (0x1, 0...4), (0x2, 2...3), (0x3, 3): length = 1 << nibble
        case (0x8, 0...7): length = nibble + 1
        case (0x4, _), (0x5, _), (0x6, _), (0xa, _), (0xd, _):
            let items = try self.count(nibble, &start)
            // Each item takes at least a byte, so a larger number cannot fit in the file.
            guard items <= bytes.count else { length = .max; break }
            let size = [0x6: 2, 0xa: referenceSize, 0xd: 2 * referenceSize][kind] ?? 1
            length = items * size
        default: throw .at(offset, "expected an object, found the byte \(bytes[offset])")
        }
        guard start <= table, length <= table - start else {
            throw .at(offset, "expected an object that ends before the table of offsets")
        }
        guard kind == 0xa || kind == 0xd else { return [] }
        return stride(from: start, to: start + length, by: referenceSize).map { number(at: $0, size: referenceSize) }
    }

    /// Returns the number of items: up to fourteen in the marker itself, more as an integer after it.
    private func count(_ nibble: Int, _ start: inout Int) throws(PropertyListError) -> Int {
        guard nibble == 0xf else { return nibble }
        guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xf <= 3 else {
            throw .at(start, "expected a count")
        }
        let size = 1 << Int(bytes[start] & 0xf)
        guard size < table - start else { throw .at(start, "expected a count") }
        defer { start += 1 + size }
        return number(at: start + 1, size: size)
    }

    /// Returns a number of up to eight bytes, most significant first; larger than Int.max becomes Int.max.
    private func number(at offset: Int, size: Int) -> Int {
        Int(clamping: bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// The elements of an XML property list: checks their names, nesting and ends.
///
/// Source: Apple's PropertyList-1.0.dtd. Text is not checked; the decoder does that.
struct XMLOutline {
    private enum XMLElement: String {
        case plist, dict, array, key, string, integer, real, date, data
        case yes = "true"
        case no = "false"

        var isContainer: Bool { self == .plist || self == .dict || self == .array }
    }

    /// An open element, and the number of its children.
    private struct Open {
        let element: XMLElement
        var children = 0
    }

    private let bytes: [UInt8]
    private var position = 0
    private var open: [Open] = []
    private var values = 0

    /// Checks the encoding, and all elements to the end.
    init(checking bytes: [UInt8]) throws(PropertyListError) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        let expected = "expected an XML or binary property list"
        guard !bytes.isEmpty else { throw PropertyListError(place: .file, message: "\(expected), found an empty file") }
        if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) || bytes.prefix(4).contains(0) {
            throw PropertyListError(place: .file, message: "\(expected) in UTF-8; try: plutil -convert xml1 FILE")
        }
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else {
            throw PropertyListError(
                place: .line(1, column: 1),
                message: "\(expected), found neither <?xml nor bplist00; try: plutil -convert xml1 FILE")
        }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw PropertyListError(place: place(of: error.byteOffsets.lowerBound), message: "expected UTF-8")
        }
        do throws(PropertyListError) {
            try readElements()
        } catch {
            guard case .byte(let offset) = error.place else { throw error }
            throw PropertyListError(place: place(of: offset), message: error.message)
        }
    }

    private mutating func readElements() throws(PropertyListError) {
        var isDone = false
        while true {
            let isText = open.last.map { !$0.element.isContainer } ?? false
            if isText { skip(to: "<") } else { skipBlanks() }
            guard position < bytes.count else { break }
            let start = position
            guard bytes[position] == UInt8(ascii: "<") else { throw .at(start, "expected an element, found text") }
            if starts("<!--") {
                try pass("-->", of: "comment", start)
            } else if starts("<![CDATA["), isText {
                try pass("]]>", of: "CDATA section", start)
            } else if starts("<?") {
                try pass("?>", of: "processing instruction", start)
            } else if starts("<!DOCTYPE"), open.isEmpty, !isDone {
                try pass(">", of: "document type", start)
                if bytes[start..<position].contains(UInt8(ascii: "[")) {
                    throw .at(start, "expected a document type without declarations of its own")
                }
            } else if isDone {
                throw .at(start, "expected nothing after </plist>")
            } else {
                isDone = try tag(start)
            }
        }
        if let last = open.last {
            throw .at(position, "expected </\(last.element.rawValue)>, found the end of the file")
        }
        guard isDone else { throw .at(position, "expected <plist>, found the end of the file") }
    }

    /// Reads one tag; returns true if it closes the whole.
    private mutating func tag(_ start: Int) throws(PropertyListError) -> Bool {
        position += 1
        let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let first = position
        while position < bytes.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[position] { position += 1 }
        let name = String(decoding: bytes[first..<position].prefix(40), as: UTF8.self)
        skip(to: ">")
        guard position < bytes.count else { throw .at(start, "expected a tag that ends, found the end of the file") }
        let isWhole = bytes[position - 1] == UInt8(ascii: "/") && !isEnd
        position += 1
        guard let element = XMLElement(rawValue: name) else {
            throw .at(start, "expected an element of a property list, found <\(name)>")
        }
        if isEnd {
            guard let last = open.popLast(), last.element == element else {
                throw .at(start, "expected the end of another element, found </\(name)>")
            }
            guard element != .dict || last.children.isMultiple(of: 2) else {
                throw .at(start, "expected a value for the last <key>, found </dict>")
            }
            guard element != .plist || last.children == 1 else {
                throw .at(start, "expected one value in <plist>, found \(last.children)")
            }
            return open.isEmpty
        }
        try place(element, start)
        if !isWhole { open.append(Open(element: element)) }
        guard !isWhole || element != .plist else { throw .at(start, "expected a value in <plist>") }
        return false
    }

    /// Opens an element if it is allowed here; otherwise throws.
    private mutating func place(_ element: XMLElement, _ start: Int) throws(PropertyListError) {
        let name = element.rawValue
        guard let parent = open.last else {
            guard element == .plist else { throw .at(start, "expected <plist>, found <\(name)>") }
            return
        }
        guard parent.element.isContainer, element != .plist else {
            throw .at(start, "expected </\(parent.element.rawValue)>, found <\(name)>")
        }
        let wantsKey = parent.element == .dict && parent.children.isMultiple(of: 2)
        guard (element == .key) == wantsKey else {
            throw .at(start, "expected \(wantsKey ? "<key>" : "a value"), found <\(name)>")
        }
        open[open.count - 1].children += 1
        values += 1
        try PropertyList.checkLimits(depth: open.count + 1, values: values, at: start)
    }

    // MARK: Bytes

    private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(to character: Unicode.Scalar) {
        while position < bytes.count, bytes[position] != UInt8(ascii: character) { position += 1 }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) { position += 1 }
    }

    /// Skips what an audit does not read.
    private mutating func pass(_ end: String, of what: String, _ start: Int) throws(PropertyListError) {
        position += 2
        while position < bytes.count, !starts(end) { position += 1 }
        guard position < bytes.count else {
            throw .at(start, "expected a \(what) that ends, found the end of the file")
        }
        position += end.utf8.count
    }

    private func place(of offset: Int) -> PropertyListError.PropertyListPlace {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        // Continuation bytes of a character do not count.
        let column = before[start...].count { $0 & 0xc0 != 0x80 } + 1
        return .line(before.count { $0 == 0x0a } + 1, column: column)
    }
}

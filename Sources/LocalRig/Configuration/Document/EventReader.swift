internal import CYAML

enum YAMLEvent {
    case documentStart
    case scalar(String, quoted: Bool)
    case listStart
    case mappingStart
    /// The end of the innermost list or mapping, else of the stream.
    case end
    /// The start of the stream, or the end of a document, without content.
    case other
}

/// Owns a libyaml parser over bytes that it borrows.
@safe struct EventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>
    let file: String
    /// The number of values and keys so far.
    var count = 0

    /// Creates a reader; `bytes` must outlive it and not be empty.
    init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) throws(ConfigurationError) {
        unsafe self.bytes = unsafe bytes
        self.file = file
        unsafe parser = .allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            throw ConfigurationError(file: file, message: "there is not enough memory to read it")
        }
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// Returns the next event and its place; anchors, aliases and tags are refused.
    mutating func next() throws(ConfigurationError) -> (event: YAMLEvent, place: SourceLocation) {
        var raw = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &raw) == 1 else { throw fault() }
        defer { unsafe yaml_event_delete(&raw) }
        let place = unsafe SourceLocation(raw.start_mark)
        switch unsafe raw.type {
        case YAML_DOCUMENT_START_EVENT: return (.documentStart, place)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT, YAML_STREAM_END_EVENT: return (.end, place)
        case YAML_ALIAS_EVENT: throw error(place, "expected a value, found an alias (*), which is not supported")
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe raw.data.sequence_start
            unsafe try refuse(start.anchor, start.tag, place)
            return (.listStart, place)
        case YAML_MAPPING_START_EVENT:
            let start = unsafe raw.data.mapping_start
            unsafe try refuse(start.anchor, start.tag, place)
            return (.mappingStart, place)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe raw.data.scalar
            unsafe try refuse(scalar.anchor, scalar.tag, place)
            let text = unsafe String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return (.scalar(text, quoted: unsafe scalar.style != YAML_PLAIN_SCALAR_STYLE), place)
        default: return (.other, place)
        }
    }

    private func refuse(
        _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?, _ place: SourceLocation
    ) throws(ConfigurationError) {
        if unsafe anchor != nil { throw error(place, "expected a value, found an anchor (&), which is not supported") }
        if unsafe tag != nil { throw error(place, "expected a value, found a tag (!), which is not supported") }
    }

    /// Creates an error from libyaml's message.
    private func fault() -> ConfigurationError {
        var problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be parsed"
        if problem == "found invalid Unicode character escape code" {
            problem += "; write a character beyond U+FFFF itself, not as a pair of escapes"
        }
        let isByte = unsafe parser.pointee.error == YAML_READER_ERROR
        // A missing end is detected only at the end of the file; the mark of the beginning is more useful.
        let isLate = unsafe parser.pointee.problem_mark.index >= bytes.count || problem == "could not find expected ':'"
        let mark =
            unsafe isLate && parser.pointee.context != nil
            ? parser.pointee.context_mark : parser.pointee.problem_mark
        let place = unsafe isByte ? place(of: parser.pointee.problem_offset) : SourceLocation(mark)
        return error(place, "expected YAML or JSON: \(problem)")
    }

    /// Returns the line and column of a byte, since an undecodable one has no mark.
    private func place(of offset: Int) -> SourceLocation {
        var place = SourceLocation(line: 1, column: 1)
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let start = unsafe bytes.starts(with: mark) ? mark.count : 0
        let end = unsafe min(max(start, offset), bytes.count)
        for index in start..<end {
            let byte = unsafe bytes[index]
            let isReturn =
                unsafe byte == UInt8(ascii: "\r")
                && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
            if byte == UInt8(ascii: "\n") || isReturn {
                place = SourceLocation(line: place.line + 1, column: 1)
            } else if byte & 0xc0 != 0x80 {
                place.column += 1
            }
        }
        return place
    }

    func error(_ place: SourceLocation, _ message: String) -> ConfigurationError {
        ConfigurationError(file, place, message)
    }
}

extension SourceLocation {
    /// Converts from libyaml's places, which start at 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) &+ 1, column: Int(clamping: mark.column) &+ 1)
    }
}

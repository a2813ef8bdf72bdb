internal import DriverKit
internal import FoundationEssentials

/// All requests and answers of the drivers in one probe of one rig.
///
/// The file is JSON lines: a header, then one request and its answer per line, in the order of the answers.
public struct Recording: Sendable, Equatable {
    static let schema = "rigready.recording/1"
    /// The longest file in bytes, unpacked: a rig of the most sensors that a driver lists, each with a sample.
    package static let limit = 8 << 20
    /// The most requests in a file.
    static let entryLimit = 32 << 10
    /// The most values in a line: the names in a folder of ten thousand.
    static let valueLimit = 20_000
    /// The most names in all lists.
    static let nameLimit = 200_000

    /// The header.
    public var header: Header
    var entries: [Entry]

    /// Parses a recording, compressed or not; throws `RecordingError` with the file's line and what was expected.
    public init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        func flaw(_ line: Int?, _ message: String) -> RecordingError {
            RecordingError(file: file, line: line, message: message)
        }
        var bytes = bytes
        if Gzip.isCompressed(bytes) {
            bytes = try rethrowing(
                as: { (error: Gzip.GzipError) in flaw(nil, "expected a recording, found \(error.message)") },
                try Gzip.inflated(bytes, limit: Self.limit))
        }
        guard bytes.count <= Self.limit else { throw flaw(nil, "larger than \(Self.limit >> 20) MiB") }
        // What is beyond the most lines stays one line, which is refused.
        var lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.entryLimit + 1, omittingEmptySubsequences: false)[...]
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.popFirst() else {
            throw flaw(1, "expected the header of a recording, found an empty file")
        }
        guard first.hasAtMost(jsonValues: Self.valueLimit) else {
            throw flaw(1, "expected the header of a recording, found more than \(Self.valueLimit) values")
        }
        let decoder = JSONDecoder()
        try Self.checkSchema(of: first, decoder, flaw)
        let line = try rethrowing(
            as: { (error: any Error) in flaw(1, "expected the header of a recording: \(error.place)") },
            try decoder.decode(HeaderLine.self, from: Data(first)))
        header = line.header
        entries = []
        var (count, names) = (0, 0)
        for line in lines {
            count += 1
            func entryFlaw(_ words: String) -> RecordingError {
                flaw(count + 1, "expected a question and its answer: \(words)")
            }
            guard count <= Self.entryLimit else { throw entryFlaw("more than \(Self.entryLimit) of them") }
            guard line.hasAtMost(jsonValues: Self.valueLimit) else {
                throw entryFlaw("more than \(Self.valueLimit) values")
            }
            let entry = try rethrowing(
                as: { (error: any Error) in entryFlaw(error.place) }, try decoder.decode(Entry.self, from: Data(line)))
            if let words = entry.flaw() { throw entryFlaw(words) }
            names += entry.list?.count ?? 0
            guard names <= Self.nameLimit else { throw entryFlaw("more than \(Self.nameLimit) names in all") }
            // Older files contain events after the probe, which no replay asks for.
            if entry.driver != "events" { entries.append(entry) }
        }
        guard count == line.entries else {
            throw flaw(
                count + 1, "expected \(line.entries) questions after the header, but the file ends after \(count)")
        }
    }

    /// Distinguishes a file of another version from one that is not a recording.
    private static func checkSchema(
        of line: ArraySlice<UInt8>, _ decoder: JSONDecoder, _ flaw: (Int?, String) -> RecordingError
    ) throws(RecordingError) {
        struct RecordedLine: Decodable { var schema: String }
        let name = "rigready.recording/"
        guard let schema = try? decoder.decode(RecordedLine.self, from: Data(line)).schema, schema.hasPrefix(name),
            let number = Int(schema.dropFirst(name.count)), number > 0
        else { throw flaw(1, "expected the header of a recording, with \"schema\": \"\(Self.schema)\"") }
        guard number == 1 else {
            throw flaw(1, "expected \(Self.schema), found \(name)\(number), which a newer version of rigready wrote")
        }
    }

    /// Makes a recording of a recorder's entries.
    public init(header: Header, from recorder: Recorder) {
        self.header = header
        entries = recorder.entries
    }

    /// Whether it holds an answer to a driver.
    package func hasAnswers(of driver: String) -> Bool { entries.contains { $0.driver == driver } }

    /// The file's bytes, compressed by gzip if requested.
    public func serialized(compressed: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes: [UInt8] = []
        // Neither type can fail to encode: their numbers are finite and their strings valid.
        if let line = try? encoder.encode(HeaderLine(header: header, entries: entries.count)) {
            bytes += Array(line) + [UInt8(ascii: "\n")]
        }
        for entry in entries {
            if let line = try? encoder.encode(entry) { bytes += Array(line) + [UInt8(ascii: "\n")] }
        }
        return compressed ? Gzip.deflated(bytes) : bytes
    }
}

/// Why a file is not a recording.
public struct RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// The line, from 1.
    public var line: Int?
    /// What was expected.
    public var message: String

    /// File, line and message.
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(message)" }
}

extension Error {
    /// The decoder's error, without its inner structure.
    fileprivate var place: String {
        switch self as? DecodingError {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\"\(context.path)\" is of another type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\"\(context.path)\" has a value that is not known"
        default: "not valid JSON"
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: String { codingPath.map(\.stringValue).joined(separator: ".") }
}

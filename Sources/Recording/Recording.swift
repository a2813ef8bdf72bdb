internal import FoundationEssentials
internal import Synchronization

/// Everything that crossed the seam under the drivers in one probe of one rig.
///
/// The file is JSON lines: a header, then one question and its answer a line, in the order of the answers.
public struct Recording: Sendable, Hashable {
    /// Whose rig it was, and how it was probed.
    public struct Header: Codable, Sendable, Hashable {
        /// `rigready.recording/1`.
        public var schema: String
        /// The version of RigReady that wrote it.
        public var version: String
        /// When, in UTC.
        public var takenAt: String
        /// The host's name.
        public var host: String
        /// The kernel's release.
        public var kernel: String
        /// The boot's identifier.
        public var boot: String
        /// The user's name.
        public var user: String
        /// The user's number.
        public var uid: UInt32
        /// The names of the drivers that asked, in their order.
        public var drivers: [String]
        /// Where gpsd was asked, as `HOST:PORT`.
        public var gpsd: String

        /// Makes a header of this version.
        public init(
            version: String, takenAt: String, host: String, kernel: String, boot: String, user: String, uid: UInt32,
            drivers: [String], gpsd: String
        ) {
            schema = Recording.schema
            self.version = version
            self.takenAt = takenAt
            self.host = host
            self.kernel = kernel
            self.boot = boot
            self.user = user
            self.uid = uid
            self.drivers = drivers
            self.gpsd = gpsd
        }
    }

    static let schema = "rigready.recording/1"
    /// Larger files are refused: a whole rig fits in a hundredth of it.
    static let limit = 64 << 20

    /// The header.
    public var header: Header
    var entries: [Entry]

    /// Reads a recording; throws `RecordingError` with the file's line and what was expected.
    public init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        guard bytes.count <= Self.limit else {
            throw RecordingError(file: file, line: nil, message: "larger than \(Self.limit >> 20) MiB")
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.popFirst(), !first.isEmpty else {
            throw RecordingError(
                file: file, line: 1, message: "expected the header of a recording, found an empty file")
        }
        let decoder = JSONDecoder()
        struct Schema: Decodable { var schema: String }
        guard let schema = try? decoder.decode(Schema.self, from: Data(first)).schema,
            schema.hasPrefix("rigready.recording/")
        else {
            throw RecordingError(file: file, line: 1, message: "expected a header with \"schema\": \"\(Self.schema)\"")
        }
        guard schema == Self.schema else {
            throw RecordingError(
                file: file, line: 1, message: "expected \(Self.schema), found \(schema.prefix(40)), which is newer")
        }
        do {
            header = try decoder.decode(Header.self, from: Data(first))
        } catch {
            throw RecordingError(file: file, line: 1, message: "expected the header of a recording: \(error.place)")
        }
        entries = []
        entries.reserveCapacity(lines.count)
        for (offset, line) in lines.enumerated() {
            do {
                entries.append(try decoder.decode(Entry.self, from: Data(line)))
            } catch {
                throw RecordingError(
                    file: file, line: offset + 2, message: "expected a question and its answer: \(error.place)")
            }
        }
    }

    /// Makes a recording of what a recorder heard.
    public init(header: Header, from recorder: Recorder) {
        self.header = header
        entries = recorder.entries.withLock { $0 }
    }

    /// The file's bytes.
    public var serialized: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes: [UInt8] = []
        // Neither type can fail to encode: their numbers are finite and their strings whole.
        if let line = try? encoder.encode(header) { bytes += Array(line) + [UInt8(ascii: "\n")] }
        for entry in entries {
            if let line = try? encoder.encode(entry) { bytes += Array(line) + [UInt8(ascii: "\n")] }
        }
        return bytes
    }
}

/// Why a file is no recording.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
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
    /// What a decoder found wrong, without its inner structure.
    fileprivate var place: String {
        switch self as? DecodingError {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is of another type"
        default: "not valid JSON"
        }
    }
}

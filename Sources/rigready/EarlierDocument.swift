import LocalRig
import DriverKit
import FoundationEssentials
import Rendering

/// A JSON document that an earlier call printed or kept: a report, a measurement or a history, read in bounds.
struct EarlierDocument {
    /// Larger documents are refused; that of a whole rig is less than a hundredth of it.
    static let limit = 4 << 20
    private static let schemas = [Report.schema, MeasurementReport.schema]

    /// Why a document cannot be used, without its file.
    struct DocumentFault: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    let file: String
    private(set) var schema = ""
    private let bytes: [UInt8]

    /// Reads what the document claims to be; throws the file, the place and what was expected.
    init(
        _ bytes: [UInt8], file: String, as expected: String = "a report or a measurement",
        schemas: [String] = Self.schemas
    ) throws(CommandFailure) {
        struct Schema: Decodable { var schema: String }
        self.bytes = bytes
        self.file = file
        schema = try read(as: expected) { (document: Schema) in
            guard schemas.contains(document.schema) else {
                let expected = schemas.joined(separator: " or ")
                throw DocumentFault("expected \(expected), found \"\(document.schema.brief)\"")
            }
            return document.schema
        }
    }

    /// Decodes the document and converts it.
    func read<Document: Decodable, Value>(
        as expected: String, _ convert: (Document) throws -> Value
    ) throws(CommandFailure) -> Value {
        do {
            guard bytes.count <= Self.limit else { throw DocumentFault("larger than \(Self.limit >> 20) MiB") }
            guard bytes.hasAtMost(jsonValues: CachedReport.valueLimit) else {
                throw DocumentFault("expected \(expected), found more than \(CachedReport.valueLimit) values")
            }
            return try convert(try JSONDecoder().decode(Document.self, from: Data(bytes)))
        } catch let fault as DocumentFault {
            throw CommandFailure(.badFile, "\(file): \(fault.message)")
        } catch {
            // The decoder does not report where the JSON is invalid; the YAML parser does, since JSON is YAML.
            if case .dataCorrupted = error as? DecodingError {
                _ = try rethrowing(
                    as: { (error: ConfigurationError) in CommandFailure(.badFile, error.description) },
                    try ConfigurationNode(parsing: bytes, file: file))
            }
            throw CommandFailure(.badFile, "\(file): expected \(expected): \(Self.clause(error))")
        }
    }

    /// The value with a name; throws what was expected and a near miss.
    static func one<Value>(
        of values: [Value], _ id: (Value) -> String, named name: String, _ expected: String
    ) throws -> Value {
        if let value = values.first(where: { id($0) == name }) { return value }
        let hint = suggestion(for: name, among: values.map(id)).map { " (did you mean \"\($0)\"?)" }
        throw DocumentFault("\(expected), found \"\(name.brief)\"\(hint ?? "")")
    }

    /// The decoder's error, on one line.
    private static func clause(_ error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.reduce("") { path, key in
                if let index = key.intValue { return path + "[\(index)]" }
                return path + (path.isEmpty ? "" : ".") + key.stringValue.brief
            }
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            let place = path(context)
            return (place.isEmpty ? "" : place + ": ") + "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context)) has the wrong type"
        default: return "not valid JSON"
        }
    }
}

extension String {
    /// The text on one line, truncated for a message.
    var brief: String { String(prefix(40)).singleLine }
}

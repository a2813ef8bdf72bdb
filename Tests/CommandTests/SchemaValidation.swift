import Foundation
import Testing
@testable import rigready

/// Documents that Debian's python3-jsonschema validates against the printed schemas, in one process.
struct SchemaValidation {
    struct Document: Encodable {
        let schema, from, text: String
        var isYAML = false
        /// Whether the schema must refuse it.
        var isRefused = false
        /// Whether copies of it are validated, each with one change.
        var isChanged = false
    }

    struct Result: Decodable {
        /// A copy of a YAML file with one change, as JSON.
        struct ChangedCopy: Decodable {
            let schema, change, text: String
            let isValid: Bool
        }
        let faults: [String]
        /// The number of documents by schema.
        let counts: [String: Int]
        /// The places where a change was not noticed, by change and schema.
        let unnoticed: [String: [String: Set<String>]]
        let copies: [ChangedCopy]
    }

    private(set) var documents: [Document] = []

    mutating func add(_ document: Document) { documents.append(document) }

    /// Runs the program, and adds what it prints; with `isByLine` each line is a document.
    mutating func add(_ schema: String, _ words: [String], isChanged: Bool = false, isByLine: Bool = false) throws {
        let run = try Program.run(words + ["--format", "json"])
        #expect(run.status <= 2, "\(words): \(run.complaints)")
        let texts = isByLine ? run.output.split(separator: "\n").map(String.init) : [run.output]
        #expect(!texts.isEmpty, "\(words)")
        for text in texts {
            add(Document(schema: schema, from: words.joined(separator: " "), text: text, isChanged: isChanged))
        }
    }

    func result() throws -> Result {
        let python = try Tool.python(with: ["jsonschema": "python3-jsonschema", "yaml": "python3-yaml"])
        return try Tool.withFolder { folder in
            for name in PublishedSchema.names {
                let run = try Program.run("schema", name)
                #expect(run.status == 0 && run.complaints == "")
                try Data(run.output.utf8).write(to: folder.appending(path: "\(name).schema.json"))
            }
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "schemas.py").path
            let encoder = JSONEncoder()
            let lines = try documents.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
            let run = try Tool.run(python, [script, folder.path], input: lines.joined(), limit: 300)
            try #require(run.status == 0, "\(run.complaints)")
            return try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
        }
    }
}

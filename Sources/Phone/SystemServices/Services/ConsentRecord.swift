public import Configuration
public import Permissions

/// The file of a record: replaced whole at each answer, so that an interrupted dialog can be continued.
public typealias ConsentFile = LockedFile<ConsentRecord>

/// A person's answer about a service.
public enum ConsentAnswer: String, CaseIterable, Sendable { case accepted, refused }

/// A person's answers so far, by service: the answers, not their effects.
public struct ConsentRecord: FileStorable {
    /// The answers, by the services' names.
    public var answers: [String: ConsentAnswer]

    /// Makes a record.
    public init(_ answers: [String: ConsentAnswer] = [:]) { self.answers = answers }

    /// The expected contents of the file.
    public static var expectation: String { "answers in YAML or JSON" }

    /// Creates a record without answers.
    public init(absent file: String) { self.init() }

    /// Reads a record, YAML or JSON, an empty one from an empty file; throws the place and what was expected.
    public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init()
        let document = try ConfigurationDocument(parsing: bytes, file: file)
        guard let root = document.root, !root.isNull else { return }
        let found = try root.mapping(of: "services", keys: SystemService.ids.map { [$0] })
        for (id, entry) in found {
            let text = try entry.value.text(expected: "accepted or refused")
            guard let answer = ConsentAnswer(rawValue: text) else {
                throw entry.value.unknown(
                    expected: "accepted or refused", among: ConsentAnswer.allCases.map(\.rawValue))
            }
            answers[id] = answer
        }
    }

    /// The record as YAML; parsing it gives an equal record.
    public var text: String {
        let lines = SystemService.ids.compactMap { id in answers[id].map { "\(id): \($0.rawValue)\n" } }
        return "# What was answered to rigready consent, which writes it.\n" + lines.joined()
    }
}

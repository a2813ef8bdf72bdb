import Configuration
import Permissions
import SystemServices

/// The answers of a file, for use without a terminal.
struct ConsentAnswers {
    private var answers: [String: PermissionAnswer] = [:]

    /// Parses YAML or JSON: a service's name and `allow`, `deny`, or for location `once`; throws the place of an error.
    init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        let document = try ConfigurationDocument(parsing: bytes, file: file)
        guard let root = document.root, !root.isNull else { return }
        let found = try root.mapping(of: "services", keys: SystemService.ids.map { [$0] })
        for (id, entry) in found {
            let words = id == "location" ? ["allow", "once", "deny"] : ["allow", "deny"]
            let expected = words.count == 3 ? "allow, once or deny" : "allow or deny"
            let text = try entry.value.text(expected: expected)
            guard words.contains(text), let answer = PermissionAnswer(rawValue: text) else {
                throw entry.value.unknown(expected: expected, among: words)
            }
            answers[id] = answer
        }
    }

    /// The answer for a service; nil if the file has none.
    func answer(about service: SystemService) -> PermissionAnswer? { answers[service.id] }
}

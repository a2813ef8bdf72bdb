internal import Readiness

/// Converts values, or throws an error with the place and what was expected.
extension ConfigurationNode {
    /// Creates an error at the place of the value.
    package func error(_ message: String, suggestion: String? = nil) -> ConfigurationError {
        ConfigurationError(file, place, message, suggestion: suggestion)
    }

    /// Creates an error that states what was expected instead of a value.
    package func error(expected: String, suggestion: String? = nil) -> ConfigurationError {
        error("expected \(expected), found \(found)", suggestion: suggestion)
    }

    /// Parses `true` or `false`, unquoted; the other words of YAML 1.1 (`yes`, `on`, …) are refused, since JSON has
    /// none.
    package func bool() throws(ConfigurationError) -> Bool {
        guard case .scalar(let text, let quoted) = value else { throw error(expected: "true or false") }
        if !quoted, let value = Bool(text) { return value }
        let meant: String? =
            switch text.lowercased() {
            case "true", "yes", "y", "on", "1": "true"
            case "false", "no", "n", "off", "0": "false"
            default: quoted ? nil : Readiness.suggestion(for: text, among: ["true", "false"])
            }
        throw error(expected: quoted ? "true or false without quotes" : "true or false", suggestion: meant)
    }

    /// Parses a finite decimal number, unquoted, for which a condition holds.
    package func number(
        expected: String, where isValid: (Double) -> Bool = { _ in true }
    ) throws(ConfigurationError) -> Double {
        guard case .scalar(let text, quoted: false) = value,
            text.utf8.allSatisfy("0123456789+-.eE".utf8.contains), let number = Double(text), number.isFinite,
            isValid(number)
        else { throw error(expected: expected) }
        return number
    }

    /// Parses a whole number of a range, unquoted; `what` it is, for messages.
    func integer(_ what: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        let expected = "\(what) from \(range.lowerBound) to \(range.upperBound)"
        let number = Int(exactly: try number(expected: expected))
        guard let number, range.contains(number) else { throw error(expected: expected) }
        return number
    }

    /// Parses a text, quoted or not; empty only if that is allowed, and then quoted.
    package func text(expected: String, allowsEmpty: Bool = false) throws(ConfigurationError) -> String {
        guard case .scalar(let text, _) = value, !isNull, allowsEmpty || !text.isEmpty else {
            throw error(expected: expected)
        }
        return text
    }

    /// Creates the error of an unknown word, with the nearest known one.
    package func unknown(expected: String, among words: [String]) -> ConfigurationError {
        guard case .scalar(let text, _) = value else { return error(expected: expected) }
        return error(expected: expected, suggestion: Readiness.suggestion(for: text, among: words))
    }

    /// Parses one of some words.
    package func word<Word: RawRepresentable<String>>(among words: [Word]) throws(ConfigurationError) -> Word {
        let names = words.map(\.rawValue)
        let expected = names.list("or")
        let text = try text(expected: expected)
        if let word = words.first(where: { $0.rawValue == text }) { return word }
        throw unknown(expected: expected, among: names)
    }

    package func list(expected: String) throws(ConfigurationError) -> [ConfigurationNode] {
        guard case .list(let items) = value else { throw error(expected: expected) }
        return items
    }

    /// Parses a mapping with known keys, each at most once in any spelling; the result uses the first spelling.
    package func mapping(
        of what: String, keys: [[String]]
    ) throws(ConfigurationError) -> [String: ConfigurationNode.MappingEntry] {
        guard case .mapping(let entries) = value else { throw error(expected: "a mapping of \(what)") }
        var known: [String: ConfigurationNode.MappingEntry] = [:]
        for entry in entries {
            guard let spellings = keys.first(where: { $0.contains(entry.key) }), let name = spellings.first else {
                throw entry.error(
                    "expected one of the \(what), found \"\(entry.key.brief)\"",
                    suggestion: suggestion(for: entry.key, among: keys.flatMap(\.self)))
            }
            if let first = known.updateValue(entry, forKey: name) {
                throw entry.error(
                    "expected each key once, found \"\(entry.key)\" and \"\(first.key)\" in line \(first.place.line)"
                )
            }
        }
        return known
    }
}

extension ConfigurationNode.MappingEntry {
    /// Creates an error at the place of the key.
    package func error(_ message: String, suggestion: String? = nil) -> ConfigurationError {
        ConfigurationError(value.file, place, message, suggestion: suggestion)
    }
}

/// One word of a command, quoted so that a POSIX shell reads it literally.
public struct ShellWord: Sendable, Hashable {
    /// The word as typed: quoted if needed.
    public let quoted: String

    /// Quotes a text; nil if no line can hold it, or if a program would take it for an option.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 4096, text.utf8.first != UInt8(ascii: "-"), text.singleLine == text
        else { return nil }
        quoted = Self.isPlain(text) ? text : Self.inQuotes(text)
    }

    /// A text as typed, for a command that is shown; `…` for one that no line can hold.
    public static func shown(_ text: String) -> String { ShellWord(text)?.quoted ?? "…" }

    /// Whether a shell takes the text for one word without quotes.
    public static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-/:@+,=%".utf8.contains(byte)
                }
            }
    }

    fileprivate static func inQuotes(_ text: String) -> String {
        // Byte by byte, as a shell reads it: a quote before a combining mark is one character with it.
        let quote = UInt8(ascii: "'")
        let parts = text.utf8.split(separator: quote, omittingEmptySubsequences: false)
        return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
    }
}

/// A line for `sh`, made of constant text and quoted words: text from a device, a peer or a file enters it as a
/// `ShellWord` only.
///
///     let command: ShellCommand = "sudo chmod a+r \(file)"
public struct ShellCommand: Sendable, Hashable {
    fileprivate enum Part: Sendable, Hashable {
        /// Constant text, with `sudo` in front of what needs root.
        case constant(String)
        /// Text that is printed as it is.
        case quoted(String)
    }

    private var parts: [Part]
    /// Whether `sudo` is left out, since the user is root or the machine has no such program.
    private var isWithoutSudo = false
    // In an array, since a value cannot contain one of its own type.
    private var undoing: [ShellCommand] = []

    /// The command that takes the change back; nil if there is none.
    public var undo: ShellCommand? {
        get { undoing.first }
        set { undoing = newValue.map { [$0] } ?? [] }
    }

    /// The line to type.
    public var line: String {
        parts.reduce(into: "") { line, part in
            switch part {
            case .constant(let text): line += isWithoutSudo ? Self.withoutSudo(text) : text
            case .quoted(let text): line += text
            }
        }
    }

    /// Whether a part of it needs root.
    public var needsRoot: Bool {
        parts.contains { part in if case .constant(let text) = part { Self.withoutSudo(text) != text } else { false } }
    }

    /// The same for a user who needs no `sudo`, or has none.
    public var withoutSudo: ShellCommand {
        var command = self
        command.isWithoutSudo = true
        command.undoing = undoing.map(\.withoutSudo)
        return command
    }

    /// The same on another machine: `ssh` passes its words to the shell there, which reads them a second time.
    public func over(ssh host: ShellWord) -> ShellCommand {
        "ssh -t \(host) \(remote: self)"
    }

    /// Its parts as texts, each after a mark, for `init(texts:)`.
    var texts: [String] {
        parts.map { part in
            switch part {
            case .constant(let text): "c\(text)"
            case .quoted(let text): "q\(text)"
            }
        }
    }

    /// Reads the parts that `texts` wrote; nil for anything else.
    init?(texts: some Collection<String>) {
        parts = texts.compactMap { text in
            // By scalars: the text may begin with a combining mark.
            let rest = String(text.unicodeScalars.dropFirst())
            return switch text.unicodeScalars.first {
            case "c": .constant(rest)
            case "q": .quoted(rest)
            default: nil
            }
        }
        guard parts.count == texts.count, !parts.isEmpty else { return nil }
    }

    private static func withoutSudo(_ text: String) -> String {
        text.split(separator: "sudo ", omittingEmptySubsequences: false).joined()
    }
}

extension ShellCommand: ExpressibleByStringInterpolation {
    /// Creates a command of constant text.
    public init(stringLiteral text: StaticString) { parts = [.constant(text.description)] }

    /// Creates a command of constant text and quoted words.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Collects the parts of a command.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Creates an empty collection.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds constant text.
        public mutating func appendLiteral(_ text: StaticString) { parts.append(.constant(text.description)) }
        /// Adds a word.
        public mutating func appendInterpolation(_ word: ShellWord) { parts.append(.quoted(word.quoted)) }
        /// Adds a number.
        public mutating func appendInterpolation(_ number: some BinaryInteger) { parts.append(.quoted("\(number)")) }
        /// Adds a part of the line that is a command itself.
        public mutating func appendInterpolation(_ command: ShellCommand) { parts += command.parts }
        /// Adds a command as one word.
        fileprivate mutating func appendInterpolation(remote command: ShellCommand) {
            parts.append(.quoted(ShellWord.inQuotes(command.line)))
        }
    }
}

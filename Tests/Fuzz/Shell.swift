import Readiness

/// A text as a word of a command, here and on another machine: each shell that reads the line gets the text back.
func fuzzShellWords(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let word = ShellWord(text) else { return }
    precondition(words(of: word.quoted) == [text], "a word that a shell reads differently")
    let command: ShellCommand = "sudo chmod a+r \(word)"
    precondition(words(of: command.line) == ["sudo", "chmod", "a+r", text])
    precondition(words(of: command.withoutSudo.line) == ["chmod", "a+r", text], "the text is not the command's own")
    guard let remote = words(of: command.over(ssh: word).line), remote.count == 4 else {
        preconditionFailure("a remote command of other words")
    }
    precondition(Array(remote.prefix(3)) == ["ssh", "-t", text])
    precondition(words(of: remote[3]) == ["sudo", "chmod", "a+r", text], "a remote shell that reads something else")
}

/// The words that a POSIX shell reads in a line of plain characters, single quotes and backslashes; nil for a line in
/// which anything else stands unquoted, or a quote is open.
///
/// Source: IEEE Std 1003.1, Shell Command Language, 2.2 Quoting.
private func words(of line: String) -> [String]? {
    var (words, word): ([String], String?) = ([], nil)
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        switch scalar {
        case " ":
            if let ended = word { words.append(ended) }
            word = nil
        case "'":
            guard let end = rest.firstIndex(of: "'") else { return nil }
            word = (word ?? "") + String(rest[..<end])
            rest = rest[rest.index(after: end)...]
        case "\\":
            guard let escaped = rest.popFirst(), escaped != "\n" else { return nil }
            word = (word ?? "") + String(escaped)
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", "@", "+", ",", "=", "%":
            word = (word ?? "") + String(scalar)
        default: return nil
        }
    }
    return words + [word].compactMap(\.self)
}

import DriverKit
import Readiness

/// The last lines of `rigready.service` in the journal of systemd, without passwords and the field of the host.
enum ServiceJournal {
    static let lineLimit = 500
    static let seconds = 10.0
    private static let byteLimit = 1 << 20
    /// At most 16 MiB, so that a journal with long lines ends the command and not the memory.
    private static let command =
        "ulimit -f 16384; exec journalctl -u rigready -n \(lineLimit) --no-pager -o short-iso --no-hostname"

    /// Runs `journalctl` and returns its lines; the first one is the reason if there are none, or not all.
    static func lines() throws -> [String] {
        let outcome = try rethrowing(
            as: { (error: any Error) in CommandFailure(.software, "/bin/sh cannot be started: \(error)") },
            try ShellProcess.run(command, seconds: seconds, keepsOutput: true))
        let kept = lines(of: outcome.output)
        let said = outcome.said.isEmpty ? "" : ": \(withoutSecrets(outcome.said))"
        switch outcome.end {
        case .exited(0): return (said.isEmpty ? [] : ["# journalctl\(said)"]) + kept
        case .exited(127): return ["# There is no journal: journalctl is not on the PATH. It is a part of systemd."]
        case .exited(let status): return ["# journalctl failed with status \(status)\(said)"] + kept
        case .signalled(let signal): return ["# journalctl was ended by signal \(signal)\(said)"] + kept
        case .late: return ["# journalctl was ended after \(Int(seconds)) s\(said)"] + kept
        }
    }

    /// The last lines of a text, safe to print and without secrets.
    static func lines(of bytes: [UInt8]) -> [String] {
        let newline = UInt8(ascii: "\n")
        var text = bytes.suffix(byteLimit)
        // The beginning of a cut line may be the end of a password.
        if text.count < bytes.count { text = text.drop { $0 != newline } }
        return text.split(separator: newline).suffix(lineLimit).map { line in
            withoutSecrets(String(decoding: line, as: UTF8.self).singleLine)
        }
    }

    // MARK: Secrets

    /// What stands for a removed text.
    private static let removed = "[removed]"
    /// The words before a secret, in lower case.
    private static let keywords = ["password", "passwd", "passphrase", "secret", "token"].map { Array($0.utf8) }

    /// A line without the user and the password of each URL, and without the value after words such as `password=`.
    ///
    /// It removes too much rather than too little, such as everything between two URLs in one word.
    static func withoutSecrets(_ line: String) -> String {
        var isSecret = false
        let words = line.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
            part -> String in
            if part.isEmpty { return "" }
            if isSecret {
                isSecret = false
                return removed
            }
            let word = withoutUser(Array(part))
            guard let place = placeOfSecret(in: word) else { return String(decoding: word, as: UTF8.self) }
            isSecret = place == word.endIndex
            return String(decoding: word[..<place], as: UTF8.self) + (isSecret ? "" : removed)
        }
        return words.joined(separator: " ")
    }

    /// A word without the text before its last `@`, if that follows the scheme of a URL or has a colon.
    private static func withoutUser(_ word: [UInt8]) -> [UInt8] {
        let start = word.firstRange(of: Array("://".utf8))?.upperBound ?? 0
        guard let end = word[start...].lastIndex(of: UInt8(ascii: "@")),
            start > 0 || word[..<end].contains(UInt8(ascii: ":"))
        else { return word }
        return Array(word[..<start]) + Array(removed.utf8) + Array(word[end...])
    }

    /// Where the value of the first keyword begins: behind its `=` or `:`, which is the end if the value is the next word.
    private static func placeOfSecret(in word: [UInt8]) -> Int? {
        let lower = word.map { byte in UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte }
        let places = keywords.compactMap { keyword -> Int? in
            guard var place = lower.firstRange(of: keyword)?.upperBound else { return nil }
            while place < word.endIndex, "\"'".utf8.contains(word[place]) { place += 1 }
            return place < word.endIndex && "=:".utf8.contains(word[place]) ? place + 1 : nil
        }
        return places.min()
    }
}

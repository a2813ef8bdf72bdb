import Foundation

/// A fenced block of the manual that shows commands and what they print.
///
/// A block whose fence is ```` ```console ```` holds commands after `$ ` and the output of each, which a test runs and compares.
/// `…` alone in a line stands for omitted lines. `$ cat FILE` creates the file that it shows, and `$ echo $?` shows the
/// status.
/// A block with ```` ```console hardware ```` needs hardware, root or time, and is not run.
struct ConsoleSample {
    /// A command and what follows it.
    struct Step {
        let command: String
        var output: [String] = []
    }

    /// The start of the block, as `FILE:LINE`.
    let place: String
    let steps: [Step]

    /// The contents of a file of the manual.
    struct Listing {
        /// The blocks to run.
        var samples: [ConsoleSample] = []
        /// The lines that look like output but are in no console block, as `FILE:LINE: TEXT`.
        var unchecked: [String] = []
    }

    /// Finds the samples in the text of a file.
    static func listing(of text: String, in file: String) -> Listing {
        var listing = Listing()
        var fence: String?
        var steps: [Step] = []
        var place = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .enumerated()
        {
            if line.hasPrefix("```") {
                if let open = fence {
                    if open == "console" { listing.samples.append(ConsoleSample(place: place, steps: steps)) }
                    fence = nil
                } else {
                    fence = String(line.dropFirst(3))
                    steps = []
                    place = "\(file):\(number + 1)"
                }
            } else if fence == "console" {
                if line.hasPrefix("$ ") {
                    steps.append(Step(command: String(line.dropFirst(2))))
                } else if steps.isEmpty {
                    listing.unchecked.append("\(file):\(number + 1): \(line)")
                } else {
                    steps[steps.count - 1].output.append(line)
                }
            } else if fence != "console hardware", fence != nil || line.hasPrefix("    "),
                line.trimmingPrefix(while: \.isWhitespace).contains(/^([✓✗] |! [a-z]|→ )/)
            {
                listing.unchecked.append("\(file):\(number + 1): \(line)")
            }
        }
        return listing
    }

    /// Runs the commands one after the other in an empty folder, and returns the differences.
    func differences() throws -> [String] {
        try Tool.withFolder { folder in
            var differences: [String] = []
            var status: Int32 = 0
            for step in steps {
                let expected = step.output.trimmed
                let printed: [String]
                if step.command.hasPrefix("cat ") {
                    let file = folder.appending(path: String(step.command.dropFirst(4)))
                    try Data((expected.joined(separator: "\n") + "\n").utf8).write(to: file)
                    continue
                } else if step.command == "echo $?" {
                    printed = ["\(status)"]
                } else {
                    let run = try Tool.run(
                        "/bin/bash", ["-c", "exec 2>&1\n" + step.command],
                        environment: [
                            "PATH": "\(Program.url.deletingLastPathComponent().path):/usr/bin:/bin",
                            "HOME": folder.path,
                            "XDG_CONFIG_HOME": folder.path, "XDG_STATE_HOME": folder.path,
                        ],
                        in: folder)
                    status = run.status
                    printed = run.output.components(separatedBy: "\n").trimmed
                }
                if !Self.matches(printed.map(Self.timeless), expected.map(Self.timeless)[...]) {
                    differences.append("\(place): $ \(step.command)\n" + printed.joined(separator: "\n"))
                }
            }
            return differences
        }
    }

    /// Whether the lines match the expected ones, where `…` stands for any number of lines.
    static func matches(_ lines: [String], _ expected: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        if first.trimmingPrefix(while: \.isWhitespace) == "…" {
            return (0...lines.count).contains { matches(Array(lines.dropFirst($0)), expected.dropFirst()) }
        }
        return lines.first == first && matches(Array(lines.dropFirst()), expected.dropFirst())
    }

    /// The line with zeros for every digit of a time of day, and without the spaces at its end.
    static func timeless(_ line: String) -> String {
        var line = line.replacing(/(\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d\.\d{3}/, with: "00:00:00.000")
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension [String] {
    /// The lines without the empty ones at the beginning and the end.
    fileprivate var trimmed: [String] {
        var lines = self[...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines)
    }
}

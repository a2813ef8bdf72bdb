extension String {
    /// A JSON report, line by line, without the drivers' durations, whether it is live or replayed, and the program's
    /// version: the rest a recording must reproduce.
    public var timeless: [String] {
        split(separator: "\n").map(String.init).filter { line in
            let member = line.drop { $0 == " " }
            return !["elapsedMilliseconds", "source", "version"].contains { member.hasPrefix("\"\($0)\" : ") }
        }
    }

    /// The first line in which this report differs from an expected one, ignoring times; nil if they are equal.
    public func difference(from expected: String) -> String? {
        let (found, expected) = (timeless, expected.timeless)
        guard found != expected else { return nil }
        let place = zip(found, expected).prefix { $0 == $1 }.count
        func line(_ lines: [String]) -> String { lines.indices.contains(place) ? lines[place] : "nothing" }
        return "line \(place + 1) of what counts: expected \(line(expected)), found \(line(found))"
    }
}

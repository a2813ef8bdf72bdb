/// Help that is wrapped to the terminal, each line with the indentation of its own text.
///
/// The parser wraps what is laid out in columns, such as examples, back to the first column.
enum HelpText {
    /// The text with no line wider than `width`, as far as its words allow.
    static func wrapped(_ text: String, to width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { wrapped(line: String($0), to: width) }
            .joined(separator: "\n")
    }

    private static func wrapped(line: String, to width: Int) -> String {
        guard line.columns > width else { return line }
        let margin = line.prefix { $0 == " " }.count
        let column = column(of: line, after: margin)
        // Where a column of text would be too narrow, it goes below.
        let isBelow = column > margin && width - column < 20
        let indent = isBelow ? margin + 4 : column
        let head = String(line.prefix(column))
        let words = line.dropFirst(column).description.wrapped(to: max(8, width - indent), breaksWords: false)
        let space = String(repeating: " ", count: indent)
        if isBelow { return ([head.trimmedEnd] + words.map { space + $0 }).joined(separator: "\n") }
        return head + words.joined(separator: "\n" + space)
    }

    /// Where the last column of a line begins: behind a gap of at least two spaces, else at its margin.
    private static func column(of line: String, after margin: Int) -> Int {
        guard let gap = line.dropFirst(margin).firstRange(of: "  "),
            let column = line[gap.upperBound...].firstIndex(where: { $0 != " " })
        else { return margin }
        return line.distance(from: line.startIndex, to: column)
    }
}

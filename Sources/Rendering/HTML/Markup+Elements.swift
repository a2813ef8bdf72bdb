extension Markup {
    /// One row of a table: its heading, then its cells.
    package struct Row {
        fileprivate let heading: Markup
        fileprivate let cells: [Markup]
        /// Whether it belongs to the row above it.
        fileprivate let isSubordinate: Bool

        package init(_ heading: Markup, _ cells: [Markup], isSubordinate: Bool = false) {
            self.heading = heading
            self.cells = cells
            self.isSubordinate = isSubordinate
        }
    }

    /// A table of what it holds, in one sentence, the headings of its columns, and its rows.
    ///
    /// A narrow screen shows it as a list of rows. The roles are stated, since a browser forgets them where the style shows
    /// rows as blocks.
    package static func table(_ caption: String, _ columns: [String], _ rows: [Row]) -> Markup {
        let heads = columns.map { name -> Markup in "<th scope=\"col\" role=\"columnheader\">\(name)</th>" }
        let body = rows.map { row -> Markup in
            let cells = row.cells.map { cell -> Markup in "<td role=\"cell\">\(cell)</td>" }
            let style = row.isSubordinate ? Markup(of: " class=\"sub\"") : nil
            return "<tr role=\"row\"\(style)><th scope=\"row\" role=\"rowheader\">\(row.heading)</th>\(cells)</tr>\n"
        }
        return """
            <table class="stack" role="table"><caption>\(caption)</caption>
            <thead role="rowgroup"><tr role="row">\(heads)</tr></thead>
            <tbody role="rowgroup">
            \(body)</tbody></table>
            """
    }

    /// A section of a page, with the name by which the page refers to its title.
    package static func section(_ name: String, _ title: String, _ content: Markup) -> Markup {
        "<section aria-labelledby=\"\(name)\"><h2 id=\"\(name)\">\(title)</h2>\n\(content)</section>\n"
    }

    /// A word in a table, with its sign.
    package static func verdict(_ mark: Mark, _ word: String) -> Markup {
        "<span class=\"verdict \(mark.tone.rawValue)\">\(mark.sign) \(word)</span>"
    }

    /// An overall result with its sign, below a page's title.
    package static func tally(_ words: (text: String, tone: Tone)) -> Markup {
        "<p class=\"tally \(words.tone.rawValue)\">\(Mark(words.tone).sign) \(words.text)</p>"
    }

    /// The section of notices; nil without any.
    package static func notices(_ lines: [String]) -> Markup? {
        guard !lines.isEmpty else { return nil }
        let items = lines.map { line -> Markup in "<li>note: \(line)</li>\n" }
        return section("notices", "Notices", "<ul class=\"list\">\n\(items)</ul>\n")
    }
}

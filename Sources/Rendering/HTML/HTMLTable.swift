/// A table of a page, which a narrow screen shows as a list of rows.
///
/// The roles are stated, since a browser forgets them where the style shows rows as blocks.
package struct HTMLTable {
    /// One row: its heading, then its cells.
    package struct Row {
        /// The heading of the row.
        package var heading: Markup
        package var cells: [Markup]
        /// Whether it belongs to the row above it.
        package var isSubordinate: Bool

        package init(_ heading: Markup, _ cells: [Markup], isSubordinate: Bool = false) {
            self.heading = heading
            self.cells = cells
            self.isSubordinate = isSubordinate
        }
    }

    private let caption: String
    private let columns: [String]
    private let rows: [Row]

    /// Makes a table of what it holds, in one sentence, the headings of its columns, and its rows.
    package init(_ caption: String, _ columns: [String], _ rows: [Row]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    /// The table as an element.
    package var element: Markup {
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
}

import Linux
package import LocalRig
internal import DriverKit
internal import Rendering
internal import SystemPackage

/// The frame of the board's page: a `<main>` element that is complete, and a script that keeps it current.
///
/// Style and script are files of the same address, so that the content security policy needs no exception.
enum BoardDocument {
    /// The whole file of a title, a `<main>` element, the address and words of another page, and the line at the end.
    static func html(title: String, main: Markup, link: (address: String, words: String)?, footer: String) -> String {
        HTMLDocument.frame(
            title: title,
            head: """
                <link rel="stylesheet" href="board.css"/>
                <link rel="icon" href="data:,"/>
                <script src="board.js" defer="defer"></script>
                """,
            body: """
                <p id="spoken" class="unseen" role="status" aria-live="polite"></p>
                \(main)
                \(link.map { "<nav><a href=\"\($0.address)\">\($0.words)</a></nav>" as Markup })
                <aside id="signals" aria-labelledby="signals-title" hidden="hidden">\
                <h2 id="signals-title">Signals</h2></aside>
                <footer><p id="connection">This page updates only with JavaScript. Reload it to see changes.</p>
                <p>\(footer)</p></footer>
                """)
    }
}

/// The files that the page refers to.
package enum BoardFiles {
    package static let style = HTMLDocument.style + String(decoding: PackageResources.board_css, as: UTF8.self)
    package static let script = String(decoding: PackageResources.board_js, as: UTF8.self)

    /// Writes both to a folder, each replaced whole.
    package static func write(to folder: String) throws(LocalRigError) {
        for (name, text) in [("board.css", style), ("board.js", script)] {
            let file = FilePath(folder).appending(name)
            do {
                try AtomicFile.replace(file, with: Array(text.utf8), access: .only(FilePermissions(rawValue: 0o644)))
            } catch {
                throw LocalRigError(.unusableFile, "\(file): \((error as? Errno)?.clause ?? "\(error)")")
            }
        }
    }
}

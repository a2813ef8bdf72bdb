import Foundation
import Testing

/// The pages in a real browser: headless Chromium, asked through its DevTools protocol.
@Suite struct PageTests {
    /// What the browser saw of one page.
    private struct Sight: Decodable {
        var page: String
        var width: Int
        var scheme: String
        var overflow: Int
        var text: String
        var scripts: Int
        var touched: Bool
        var strangers: Int
        var ground: String
        var requests: Int
        var dialogs: Int
        var headings: [String]
        var violations: [String]?
    }

    private struct View: Encodable {
        var page: String
        var width: Int
        var scheme: String
        var screenshot: String?
    }

    private static let axe = Tool.repository.appending(path: ".build/axe/axe.min.js").path

    /// Opens each page at 320 and 1280 px, and dark; `axe` holds it to the rules of accessibility too.
    private func sights(of pages: [(name: String, html: String)], axe: String = "") throws -> [Sight] {
        let browser = try Tool.path("chromium", package: "chromium")
        let python = try Tool.path("python3", package: "python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "browser.py")
        return try Tool.withFolder { folder in
            var views: [View] = []
            for (name, html) in pages {
                let file = folder.appending(path: "\(name).html")
                try Data(html.utf8).write(to: file)
                for (width, scheme) in [(320, "light"), (1280, "light"), (1280, "dark")] {
                    views.append(View(page: "file://\(file.path)", width: width, scheme: scheme))
                }
            }
            let asked = String(decoding: try JSONEncoder().encode(views), as: UTF8.self)
            let run = try Tool.run(
                python, [script.path, browser, folder.appending(path: "profile").path, axe], input: asked,
                environment: ["HOME": folder.path], limit: 300)
            try #require(run.status == 0, "\(run.complaints)")
            return try JSONDecoder().decode([Sight].self, from: Data(run.output.utf8))
        }
    }

    private func page(_ words: String...) throws -> String {
        let run = try Program.run(words + ["--format", "html"])
        // The embedded demo has no capture of some sensors.
        try #require(run.complaints == "" || words.contains("measure"), "\(run.complaints)")
        return run.output
    }

    private func allPages() throws -> [(name: String, html: String)] {
        let baseline = try Program.run("--rig", "demo", "--format", "json").output
        let comparison = try Program.withFile(baseline, ending: "json") { file in
            try page("compare", file, "--rig", "field-kit")
        }
        return [
            ("demo", try page("--rig", "demo")), ("field-kit", try page("--rig", "field-kit")),
            ("prototype-board", try page("--rig", "prototype-board")),
            ("explain", try page("explain", "impact", "--rig", "prototype-board")),
            ("compare", comparison), ("measure", try page("measure", "--rig", "demo")),
        ]
    }

    @Test func `every page fits the screen, asks nothing of anybody and runs no script`() throws {
        let pages = try allPages()
        let sights = try sights(of: pages)
        #expect(sights.count == pages.count * 3)
        for sight in sights {
            #expect(sight.overflow <= 0, "\(sight.page) at \(sight.width)")
            #expect(sight.scripts == 0 && sight.strangers == 0 && sight.dialogs == 0, "\(sight.page)")
            // The page itself.
            #expect(sight.requests == 1, "\(sight.page)")
        }
        let grounds = Dictionary(grouping: sights, by: \.scheme).mapValues { Set($0.map(\.ground)) }
        #expect(grounds["light"]?.count == 1 && grounds["dark"]?.count == 1 && grounds["light"] != grounds["dark"])
    }

    @Test func `the verdict on every service is read without script, with its sign and its reason`() throws {
        let rigs = ["demo", "field-kit", "prototype-board"]
        for sight in try sights(of: try rigs.map { ($0, try page("--rig", $0)) }) {
            let rig = try #require(rigs.first { sight.page.contains($0) })
            // In the words of the text report, which has a service on each of these lines.
            let text = try Program.run("--rig", rig).output
            let services = text.split(separator: "\n").compactMap { line in
                line.wholeMatch(of: #/  ([✓!?✗]) +(.+?)(?: {3,}(.*))?/#)
            }
            #expect(services.count == 13)
            for service in services {
                #expect(sight.headings.contains { $0.hasPrefix(service.2) }, "\(rig): \(service.2)")
                #expect(sight.text.contains(service.1) && sight.text.contains(service.3 ?? ""), "\(rig): \(service.0)")
            }
            let report = try Program.run("--rig", rig, "--format", "json").document()
            for service in try #require(report["services"] as? [[String: Any]]) {
                #expect(sight.text.contains(try #require(service["verdict"] as? String)))
            }
        }
    }

    @Test func `a page of a rig is small`() throws {
        for rig in ["demo", "field-kit", "prototype-board"] {
            #expect(10_000...60_000 ~= (try page("--rig", rig)).utf8.count)
        }
    }

    /// A rig whose chip, receiver and host have names that are markup.
    private func hostileRig() throws -> DerivedRig {
        let name = #"<script>attacked=1</script>\"><img src=x onerror=attacked=1>'"#
        var rig = try DerivedRig()
        try rig.replace(#""text":"bma400\n""#, with: #""text":"\#(name)\n""#)
        try rig.replace(#"\"driver\":\"NMEA0183\""#, with: #"\"driver\":\"<script>alert(1)</script>\""#, of: "gpsd")
        rig.lines[0] = rig.lines[0].replacing(
            #""host":"bench""#, with: #""host":"</title><script>attacked=1</script>""#)
        return rig
    }

    @Test func `names that are markup are shown as they are and do nothing`() throws {
        let rig = try hostileRig()
        let pages = try Program.withFile(rig.text, ending: "jsonl") { file in
            [
                ("check", try page("--rig", file)), ("explain", try page("explain", "impact", "--rig", file)),
                ("measure", try page("measure", "--rig", "demo")),
            ]
        }
        for sight in try sights(of: Array(pages.prefix(2))) {
            #expect(!sight.touched && sight.scripts == 0 && sight.strangers == 0 && sight.dialogs == 0, "\(sight.page)")
            #expect(sight.overflow <= 0, "\(sight.page) at \(sight.width)")
            #expect(sight.text.contains("<script>attacked=1</script>"))
            #expect(sight.text.contains("<script>alert(1)</script>"))
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: axe), "needs axe-core, which Scripts/test fetches"))
    func `no page breaks a rule of accessibility`() throws {
        for sight in try sights(of: try allPages(), axe: Self.axe) {
            #expect(sight.violations == [], "\(sight.page) at \(sight.width), \(sight.scheme)")
        }
    }

    @Test func `a page that breaks a rule, runs a script or is too wide is noticed`() throws {
        let html = """
            <!DOCTYPE html><html><body><script>attacked=1</script><p style="width:2000px;color:#ccc;background:#fff">faint</p>
            <img src="data:,"/></body></html>
            """
        let isHeld = FileManager.default.fileExists(atPath: Self.axe)
        let sight = try #require(try sights(of: [("bad", html)], axe: isHeld ? Self.axe : "").first)
        #expect(sight.overflow > 0 && sight.touched && sight.scripts == 1 && sight.strangers == 2)
        if isHeld { #expect(sight.violations?.contains { $0.hasPrefix("color-contrast") } == true) }
    }
}

import Foundation
import FoundationXML
import Testing

/// A JUnit file as its readers parse it.
struct JUnitFile {
    struct Case {
        var name: String
        var className: String
        var time: Double?
        /// `passed`, `failure`, `error` or `skipped`.
        var result: String
        var type: String?
        var message: String?
        var text: String
    }

    var cases: [Case] = []
    /// The counts of the one suite, by name.
    var counts: [String: Int] = [:]

    /// Reads a file and validates it by the schema; a test without xmllint is cancelled.
    init(_ text: String) throws {
        let lint = try Tool.path("xmllint", package: "libxml2-utils")
        let run = try Tool.withFolder { folder in
            let schema = folder.appending(path: "junit.xsd")
            let file = folder.appending(path: "rig.xml")
            try Data(JUnitSchema.text.utf8).write(to: schema)
            try Data(text.utf8).write(to: file)
            return try Tool.run(lint, ["--noout", "--nonet", "--schema", schema.path, file.path])
        }
        guard run.status == 0 else { throw Program.CommandFailure(description: "xmllint: \(run.complaints)") }
        let document = try XMLDocument(data: Data(text.utf8))
        guard let suite = document.rootElement()?.elements(forName: "testsuite").first else {
            throw Program.CommandFailure(description: "no suite")
        }
        for name in ["tests", "failures", "errors", "skipped"] {
            counts[name] = suite.attribute(forName: name)?.stringValue.flatMap(Int.init)
        }
        for element in suite.elements(forName: "testcase") {
            func value(_ name: String, of element: XMLElement?) -> String? {
                element?.attribute(forName: name)?.stringValue
            }
            let child = element.children?.compactMap { $0 as? XMLElement }.first
            let result = child?.name ?? "passed"
            cases.append(
                Case(
                    name: value("name", of: element) ?? "", className: value("classname", of: element) ?? "",
                    time: value("time", of: element).flatMap(Double.init),
                    result: result == "system-out" ? "passed" : result, type: value("type", of: child),
                    message: value("message", of: child), text: child?.stringValue ?? ""))
        }
    }

    /// The case with a name.
    func named(_ name: String) throws -> Case { try #require(cases.first { $0.name == name }) }
}

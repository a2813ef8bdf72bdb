import Foundation
import Readiness
import Rendering
import Testing
@testable import rigready

/// The writers of cases, with unexpected text.
@Suite struct WriterTests {
    private func list(_ cases: [Case]) -> CaseList {
        CaseList(
            host: "bench\u{0}\"<", takenAt: "2026-11-21T09:00:00.000Z",
            properties: [("rules", "2.14\u{b}\n& more")], seconds: 0.25, cases: cases)
    }

    /// Text made of pieces that are special in the formats.
    private func hostile(_ random: inout some RandomNumberGenerator) -> String {
        let pieces = [
            "]]>", "<![CDATA[", "<!--", "&amp;", "&#0;", "\"", "'", "\\", "\\\"", "\\n", "#", "# SKIP", "# TODO x",
            "...",
            "---", "  ---", "- a: b", "key: |", "ok 7", "not ok 8", "1..99", "Bail out!", "TAP version 14",
            "pragma +strict",
            "\n", "\n\n", "\r", "\r\n", "\t", "  ", "\u{0}", "\u{1b}[2J", "\u{7f}", "\u{85}", "\u{9b}", "\u{a0}",
            "\u{2028}", "\u{2029}", "\u{3000}", "\u{feff}", "\u{fffe}", "\u{ffff}", "\u{1f4a9}", "\"\u{301}",
            "#\u{301}",
            "é", "word", "%", "{", "[", "@", "~", "!", "*", ">", "|", "a:", ": ",
        ]
        let count = Int.random(in: 0...12, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private func cases(_ count: Int, seed: UInt64) -> [Case] {
        var random = Random(state: seed)
        return (0..<count).map { index in
            let account = CaseDescription(
                word: "word", message: "m" + hostile(&random),
                lines: (0..<Int.random(in: 0...4, using: &random)).map { _ in hostile(&random) })
            let outcome: CaseOutcome =
                switch index % 5 {
                case 0: .passed(nil)
                case 1: .passed(account)
                case 2: .failed(account)
                case 3: .errored(account)
                default: .skipped("because" + hostile(&random))
                }
            return Case(
                name: "\(index)" + hostile(&random), className: "rigready.services", outcome: outcome,
                seconds: index % 2 == 0 ? 0.0125 : nil)
        }
    }

    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `hostile text leaves JUnit valid`(seed: UInt64) throws {
        let cases = cases(2_500, seed: seed)
        let file = try JUnitFile(JUnitReport(list: list(cases)).text)
        #expect(file.counts == ["tests": 2500, "failures": 500, "errors": 500, "skipped": 500])
        #expect(file.cases.map(\.name) == cases.map(\.name.singleLine.printable))
        for (read, written) in zip(file.cases, cases) {
            guard case .failed(let account) = written.outcome else { continue }
            #expect(read.text == ([account.message] + account.lines).map(\.printable).joined(separator: "\n"))
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `hostile text leaves TAP valid`(seed: UInt64) throws {
        let cases = cases(2_500, seed: seed)
        let file = try TAPFile(TAPReport(list: list(cases)).text)
        #expect(file.errors == [])
        #expect(file.points.map(\.ok) == cases.map { !$0.isFailed && !$0.isErrored })
        #expect(file.points.map { $0.directive == "SKIP" } == cases.map(\.isSkipped))
        for (read, written) in zip(file.points, cases) {
            guard case .failed(let account) = written.outcome else { continue }
            #expect(read.diagnostics?.message == account.message.singleLine.printable)
        }
    }

    @Test func `characters that XML forbids are marked`() {
        let all = (0...0x10_ffff).compactMap(Unicode.Scalar.init)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: all)
        for scalar in String(text).printable.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7e, 0xa0...0xd7ff, 0xe000...0xfffd, 0x1_0000...0x10_ffff: continue
            default: Issue.record("U+\(String(scalar.value, radix: 16))")
            }
        }
        #expect("a\u{0}b\rc".printable == "ab c")
        #expect("a\u{fffe}b\u{ffff}".printable == "ab")
        #expect("zażółć 🛰".printable == "zażółć 🛰")
    }

    @Test func `only a time in UTC is a timestamp`() {
        func text(_ time: String) -> String {
            var list = list([])
            list.takenAt = time
            return JUnitReport(list: list).text
        }
        #expect(text("2026-11-21T09:00:00.123Z").contains("timestamp=\"2026-11-21T09:00:00\""))
        for other in ["", "2026-11-21T09:00:00+01:00", "yesterday", "2026-11-21T09:00:0xZ", "٢026-11-21T09:00:00Z"] {
            #expect(!text(other).contains("timestamp"), "\(other)")
        }
    }
}

import LocalRig
import Measurement
import Readiness
import Rendering
@testable import rigready

/// A report that a service wrote, through the evaluation and the reports made of it.
func fuzzCachedReport(_ bytes: [UInt8]) {
    guard let demo, let report = try? CachedReport(parsing: bytes, file: "fuzz", boot: "b") else { return }
    let assessment = demo.evaluate(report.inventory)
    precondition((0...2).contains(assessment.exitStatus), "a status that is none")
    check(text: assessment.text(on: Terminal(colour: false, width: 80)))
    check(json: assessment)
}

/// A baseline of `compare`: a recording, a report or a manifest, by its first bytes.
func fuzzBaseline(_ bytes: [UInt8]) {
    do throws(CommandFailure) {
        let content = try BaselineFile.content(of: bytes, file: "fuzz", rules: nil)
        if case .measurement(let measured) = content {
            let comparison = MeasurementComparison(from: measured.measurement, to: measured.measurement)
            precondition(comparison.differences.isEmpty, "a measurement that differs from itself")
            check(junit: JUnitReport(list: measured.caseList(since: measured, [])).text)
        }
        guard case .stated(let baseline, _?) = content, let found = demoAssessment else { return }
        let comparison = Comparison(baseline, with: found)
        let report = ComparisonReport(
            differences: comparison.differences, title: "fuzz against fuzz", time: "", assessment: found)
        precondition((0...2).contains(comparison.status.rawValue), "a status that is none")
        check(text: report.text(on: Terminal(colour: false, width: 80)))
        let cases = found.caseList(baseline, comparison.differences)
        check(junit: JUnitReport(list: cases).text)
        check(tap: TAPReport(list: cases).text)
    } catch {
        precondition(error.status == .badFile, "a status that is none")
        check(line: error.description)
    }
}

let demoAssessment = try? demo?.assess()

/// A rig with hostile names through the writers of each format.
private func hostileAssessment(_ bytes: [UInt8]) -> Assessment? {
    guard let demo, var inventory = demoAssessment?.inventory, var first = bytes.first else { return nil }
    var words = bytes.dropFirst().split(separator: 0, maxSplits: 15, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }[...]
    func word() -> String { words.popFirst() ?? "" }
    for index in inventory.sensors.indices {
        inventory.sensors[index].name = word()
        inventory.sensors[index].key = word()
        inventory.sensors[index].label = first & 1 == 0 ? nil : word()
        inventory.sensors[index].detail = word()
        if first & 2 == 0 { inventory.sensors[index].availability = .unavailable(.faulty) }
        inventory.sensors[index].evidence = [Evidence(path: word(), said: word())]
        inventory.sensors[index].remedies = [
            ShellWord(word()).map { .command("sudo fix \($0)") } ?? .advice(word()), .advice(word()),
        ]
        first = first >> 1 | first << 7
    }
    return demo.evaluate(inventory)
}

func fuzzTextWriter(_ bytes: [UInt8]) {
    guard let assessment = hostileAssessment(bytes) else { return }
    let terminal = Terminal(colour: false, width: 20 + Int(bytes[0]))
    check(text: assessment.text(on: terminal))
}

func fuzzJSONWriter(_ bytes: [UInt8]) {
    if let assessment = hostileAssessment(bytes) { check(json: assessment) }
}

func fuzzJUnitWriter(_ bytes: [UInt8]) {
    if let assessment = hostileAssessment(bytes) { check(junit: JUnitReport(list: assessment.caseList).text) }
    check(junit: JUnitReport(list: hostileCases(bytes)).text)
}

func fuzzTAPWriter(_ bytes: [UInt8]) {
    if let assessment = hostileAssessment(bytes) { check(tap: TAPReport(list: assessment.caseList).text) }
    check(tap: TAPReport(list: hostileCases(bytes)).text)
}

/// Cases of every outcome: fields that end in a zero byte, the first byte of a name gives the outcome.
private func hostileCases(_ bytes: [UInt8]) -> CaseList {
    var words = bytes.split(separator: 0, maxSplits: 63, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }[...]
    func word() -> String { words.popFirst() ?? "" }
    let (host, property) = (word(), word())
    var cases: [Case] = []
    while !words.isEmpty {
        let name = word()
        let account = CaseDescription(word: "word", message: word(), lines: [word(), word()])
        let outcome: CaseOutcome =
            switch (name.utf8.first ?? 0) % 6 {
            case 0: .passed(nil)
            case 1: .passed(account)
            case 2: .failed(account)
            case 3: .errored(account)
            case 4: .skipped(account.message)
            default: .accepted(account.message)
            }
        cases.append(Case(name: name, className: "rigready.services", outcome: outcome, seconds: 0.5))
    }
    return CaseList(
        host: host, takenAt: property, properties: [("rules", property)], seconds: 1, cases: cases)
}

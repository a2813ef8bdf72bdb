import LocalRig
import Readiness
import Rendering
@testable import rigready

/// The history that a watch left: what is read is bounded, and can be continued, written and read again.
func fuzzHistory(_ bytes: [UInt8]) {
    do throws(CommandFailure) {
        var history = try HistoryFile.parse(bytes, file: "fuzz")
        precondition(history.requirements.map(\.id) == Requirement.allCases.map(\.id), "other requirements")
        precondition(history.requirements.allSatisfy { $0.events.count <= RequirementHistory.eventLimit }, "unbounded")
        guard let demoAssessment else { return }
        history.take(demoAssessment, at: "2026-11-21T09:00:00.000Z", isFirst: bytes.count % 2 == 0)
        let text = try Output.document(history)
        guard let again = try? HistoryFile.parse(Array(text.utf8), file: "fuzz") else {
            fatalError("a history that cannot be read again")
        }
        precondition(again == history, "a history that is read as another")
        check(text: history.text(period: nil, listsEvents: true, on: Terminal(colour: false, width: 80)))
    } catch {
        precondition(error.status == .badFile, "a status that is none")
        check(line: error.description)
    }
}

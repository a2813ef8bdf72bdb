import Foundation
import Testing
@testable import RigHealth

/// What is known of a counter.
@Suite struct StepHistoryTests {
    private let boot = Date(timeIntervalSinceReferenceDate: 1000)

    private func steps(_ history: StepHistory, _ start: Double?, _ end: Double?) -> [Double]? {
        history.steps(in: AskedTime(start: start.map { boot + $0 }, end: end.map { boot + $0 })).map {
            [Double($0.steps), $0.start.timeIntervalSince(boot), $0.end.timeIntervalSince(boot)]
        }
    }

    @Test func `steps are known between readings, and since boot`() {
        var history = StepHistory(boot: boot)
        #expect(steps(history, nil, nil) == nil)
        history.note(100, began: boot + 10, at: boot + 10)
        history.note(130, began: boot + 20, at: boot + 20)
        history.note(135, began: boot + 30, at: boot + 30)
        #expect(steps(history, nil, nil) == [135, 0, 30])
        #expect(steps(history, -50, 100) == [135, 0, 30])
        #expect(steps(history, 5, nil) == [35, 10, 30])
        #expect(steps(history, 5, 25) == [30, 10, 20])
        #expect(steps(history, 11, 25) == nil)
        #expect(steps(history, 40, 50) == nil)
    }

    @Test func `a count that fell was restarted, and a clock set back adds nothing`() {
        var history = StepHistory(boot: boot)
        history.note(100, began: boot + 10, at: boot + 10)
        history.note(7, began: boot + 20, at: boot + 20)
        #expect(steps(history, nil, nil) == [107, 0, 20])
        history.note(5000, began: boot + 15, at: boot + 15)
        #expect(steps(history, nil, nil) == [107, 0, 20])
        history.note(.max, began: boot + 30, at: boot + 30)
        #expect(history.steps(in: AskedTime())?.steps == .max)
    }

    @Test func `readings made side by side are no restart`() {
        var history = StepHistory(boot: boot)
        history.note(1250, began: boot + 11, at: boot + 12)
        history.note(1234, began: boot + 10, at: boot + 13)
        history.note(1250, began: boot + 14, at: boot + 15)
        #expect(steps(history, nil, nil) == [1250, 0, 15])
    }

    @Test func `a lower count is a restart only if it was read after the last reading had ended`() {
        var history = StepHistory(boot: boot)
        history.note(100, began: boot + 10, at: boot + 10)
        history.note(7, began: boot + 10, at: boot + 11)
        #expect(steps(history, nil, nil) == [100, 0, 10])
        history.note(8, began: boot + 10.5, at: boot + 12)
        #expect(steps(history, nil, nil) == [108, 0, 12])
    }

    @Test func `beyond the most readings every second one is dropped`() {
        var history = StepHistory(boot: boot)
        func note(_ second: Int) { history.note(1, began: boot + Double(second), at: boot + Double(second)) }
        func kept() -> [Int] {
            Mirror(reflecting: history).children.map { Mirror(reflecting: $0.value).children.count }
        }
        // Besides the boot.
        (1...4095).forEach(note)
        #expect(kept() == [4096])
        note(4096)
        #expect(kept() == [2049])
    }

    @Test func `many readings are thinned and lose no step`() {
        var history = StepHistory(boot: boot)
        for second in 1...20_000 {
            let date = boot + Double(second)
            history.note(UInt64(second * 2), began: date, at: date)
        }
        #expect(steps(history, nil, nil) == [40_000, 0, 20_000])
        #expect(Mirror(reflecting: history).children.allSatisfy { Mirror(reflecting: $0.value).children.count <= 4097 })
    }
}

import DriverKit
import Readiness
import Support
import Testing

@testable import Recording

/// The real drivers over recordings that lack something, or that somebody damaged.
@Suite struct ReplayedDriverTests {
    /// One mutant in the drivers; what hangs is told by the crew that gave it up.
    private func replay(_ recording: Recording, _ number: Int) throws {
        let inventory = try recording.inventory()
        for report in inventory.drivers {
            #expect(report.elapsedMilliseconds < Recording.grace * 900, "mutant \(number): \(report.name) hangs")
        }
        #expect(try inventory.verdicts.count == 9 + 13 + 1)
    }

    @Test func damagedFilesNeverCrashOrHangADriver() throws {
        let bytes = try Demo.bytes()
        var replayed = 0
        for (number, mutant) in Mutations(of: [bytes], count: 10_000).enumerated() {
            guard let recording = try? Recording(parsing: mutant, file: "f") else { continue }
            replayed += 1
            try replay(recording, number)
        }
        #expect(replayed > 100)
    }

    /// Damage within the answers, which a reader of files cannot see.
    @Test func damagedAnswersNeverCrashOrHangADriver() throws {
        let demo = try Demo.recording()
        let answers = demo.entries.indices.filter { demo.entries[$0].bytes != nil || demo.entries[$0].list != nil }
        var mutations = Mutations(of: demo.entries.compactMap(\.bytes), count: 1_000_000)
        for number in 0..<2500 {
            var recording = demo
            for step in 0...number % 3 {
                let index = answers[(number &* 31 &+ step &* 17) % answers.count]
                guard let mutant = mutations.next() else { break }
                if let list = demo.entries[index].list {
                    let names = String(decoding: mutant.prefix(40).filter { $0 != 0 }, as: UTF8.self)
                    recording.entries[index].list =
                        [list + [names], list.dropLast(), list + list, [names]][number / 7 % 4]
                } else if number % 5 == 0 {
                    recording.entries.remove(at: index)
                    break
                } else {
                    recording.entries[index].bytes = mutant
                }
            }
            try replay(recording, number)
        }
    }

    /// What a deeper probe asks was never answered, so it cannot be told.
    @Test(arguments: [(Depth.presence, Depth.state), (.presence, .sample), (.state, .sample)])
    func deeperThanRecordedIsIndeterminate(recorded: Depth, asked: Depth) throws {
        let demo = try Demo.recording()
        let recorder = Recorder()
        let shallow = try demo.inventory(depth: recorded, recorder: recorder)
        var header = demo.header
        header.depth = recorded
        let recording = Recording(header: header, from: recorder)
        // As deep as recorded, it says what the rig said.
        #expect(try recording.inventory().verdicts == shallow.verdicts)
        let deep = try recording.inventory(depth: asked)
        for judgement in deep.judgements {
            let known = shallow.judgements.first { $0.requirement == judgement.requirement }
            if judgement.standing == .unknown {
                #expect(judgement.causes.allSatisfy { $0 == .indeterminate }, "\(judgement)")
            } else {
                #expect(judgement.standing == known?.standing, "\(judgement.requirement): a guess")
            }
        }
        // At depth sample every sensor is asked, so none can be known to deliver; a controller's power is known before.
        guard asked == .sample else { return }
        for sensor in deep.sensors where recorded == .presence || sensor.kind != .bluetoothAdapter { #expect(sensor.availability == .unavailable(.indeterminate), "\(sensor.key)") }
    }
}

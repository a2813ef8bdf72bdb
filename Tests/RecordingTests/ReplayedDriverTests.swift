import DriverKit
import Readiness
import Support
import Testing
@testable import LocalRig

/// The real drivers with incomplete recordings.
@Suite struct ReplayedDriverTests {
    /// A deeper probe's queries were not recorded, so their results are unknown.
    @Test(arguments: [(Depth.presence, Depth.state), (.presence, .sample), (.state, .sample)])
    func `a deeper probe than recorded is indeterminate`(recorded: Depth, asked: Depth) throws {
        let demo = try Demo.recording()
        let recorder = Recorder()
        let shallow = try demo.inventory(depth: recorded, recorder: recorder)
        var header = demo.header
        header.depth = recorded
        let recording = Recording(header: header, from: recorder)
        // At the recorded depth, it gives the rig's results.
        #expect(try recording.inventory().verdicts == shallow.verdicts)
        let deep = try recording.inventory(depth: asked)
        for judgement in deep.requirementResults {
            let known = shallow.requirementResults.first { $0.requirement == judgement.requirement }
            if judgement.status == .unknown {
                #expect(judgement.causes.allSatisfy { $0 == .indeterminate }, "\(judgement)")
            } else {
                #expect(judgement.status == known?.status, "\(judgement.requirement): a guess")
            }
        }
        // At depth sample every sensor is read, so none can be known to deliver; a controller's power is known before.
        guard asked == .sample else { return }
        for sensor in deep.sensors where recorded == .presence || sensor.kind != .bluetoothAdapter {
            #expect(sensor.availability == .unavailable(.indeterminate), "\(sensor.key)")
        }
    }
}

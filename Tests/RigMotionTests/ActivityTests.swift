import CaptureSupport
import Foundation
import LocalRig
import PhoneKit
import PhoneSupport
import Support
import SystemPackage
import Testing

#if canImport(CoreMotion)
    import CoreMotion
#else
    import RigMotion
#endif

/// `CMMotionActivityManager` on a simulated rig.
@Suite struct ActivityTests {
    /// An app that requests motion in the usual way: by a query of an empty interval, evaluating its error.
    final class Consent {
        private(set) var words = ""

        func ask(on queue: OperationQueue, _ done: @escaping @Sendable (String) -> Void) {
            let manager = CMMotionActivityManager()
            let moment = Date()
            switch CMMotionActivityManager.authorizationStatus() {
            case .restricted, .denied: done("refused")
            case .authorized: done("granted")
            case .notDetermined:
                manager.queryActivityStarting(from: moment, to: moment, to: queue) { activities, error in
                    if let error = error as? NSError, error.code == Int(CMErrorMotionActivityNotAuthorized.rawValue) {
                        done("refused after asking")
                    } else {
                        done("granted after asking, \(activities?.count ?? 0)")
                    }
                }
            @unknown default: done("unknown")
            }
        }
    }

    private let queue = OperationQueue()

    @Test(
        arguments: [
            ("motion: allowed", nil, FixedPrompter(.allow), "granted"),
            ("motion: denied", nil, FixedPrompter(.allow), "refused"),
            (nil, "motion: restricted", FixedPrompter(.allow), "refused"),
            ("motion: not-determined", nil, FixedPrompter(.allow), "granted after asking, 1"),
            ("motion: not-determined", nil, FixedPrompter(.deny), "refused after asking"),
        ] as [(String?, String?, FixedPrompter, String)])
    func `consent is requested by a query`(
        grants: String?, policy: String?, prompter: FixedPrompter, outcome: String
    ) throws {
        let memory = MemoryRig()
        memory.add(0, "band", ["in_activity_walking_input": "80"])
        let test = try TestRig(grants: grants, policy: policy, world: memory, prompter: prompter)
        let words = Calls<String>()
        let queue = queue
        PhoneRig.$substitute.withValue(test.rig) { Consent().ask(on: queue) { words.note($0, nil) } }
        #expect(eventually { words.count == 1 })
        #expect(words.values == [outcome])
    }

    private func query(
        _ rig: MotionRig, from start: Date = Date(), to end: Date = Date()
    ) throws -> Calls<[CMMotionActivity]> {
        let calls = Calls<[CMMotionActivity]>()
        let manager = rig.made { CMMotionActivityManager() }
        manager.queryActivityStarting(from: start, to: end, to: queue) { calls.note($0, $1) }
        #expect(eventually { calls.count == 1 })
        return calls
    }

    @Test(arguments: [
        (["still": "100", "walking": "0", "running": "0"], "stationary", 2),
        (["still": "10", "walking": "60", "jogging": "20"], "walking", 1),
        (["jogging": "20", "running": "20"], "running", 0), (["still": "0", "walking": "0"], "unknown", 0),
    ])
    func `the surest activity is reported`(percents: [String: String], name: String, confidence: Int) throws {
        let rig = try MotionRig()
        rig.memory.add(
            0, "band", Dictionary(uniqueKeysWithValues: percents.map { ("in_activity_\($0.key)_input", $0.value) }))
        #expect(rig.made { CMMotionActivityManager.isActivityAvailable() })
        let activity = try #require(try query(rig).values.first?.first)
        let flags = [
            ("stationary", activity.stationary), ("walking", activity.walking), ("running", activity.running),
            ("unknown", activity.unknown), ("automotive", activity.automotive), ("cycling", activity.cycling),
        ]
        #expect(flags.filter(\.1).map(\.0) == [name])
        #expect(activity.confidence.rawValue == confidence)
    }

    @Test func `without a chip activities are unavailable`() throws {
        let rig = try MotionRig()
        rig.memory.addHub()
        #expect(!rig.made { CMMotionActivityManager.isActivityAvailable() })
        #expect(try query(rig).codes == [Int(CMErrorMotionActivityNotAvailable.rawValue)])
    }

    @Test func `past activities are not recorded, and a reversed interval is invalid`() throws {
        let rig = try MotionRig()
        rig.memory.add(0, "band", ["in_activity_still_input": "100"])
        let now = Date()
        #expect(try query(rig, from: now - 7200, to: now - 3600).codes == [104])
        #expect(try query(rig, from: now + 10, to: now).codes == [Int(CMErrorInvalidParameter.rawValue)])
        #expect(try query(rig, from: now - 7200, to: now + 1).values.first?.count == 1)
    }

    @Test(arguments: ["often", "-1", "101"])
    func `an impossible confidence is an error`(value: String) throws {
        let rig = try MotionRig()
        rig.memory.add(0, "band", ["in_activity_still_input": value])
        #expect(try query(rig).codes == [Int(CMErrorUnknown.rawValue)])
    }

    @Test(.waits) func `a count that grows is walking, one that does not is nothing`() throws {
        let rig = try MotionRig()
        rig.memory.add(0, "pedometer", ["in_steps_input": "10", "in_steps_en": "1"])
        let calls = Calls<[CMMotionActivity]>()
        let manager = rig.made { CMMotionActivityManager() }
        // As if the bearer walked while the count is observed.
        let steps = Thread {
            for count in 11..<2000 {
                rig.memory.set(0, "in_steps_input", "\(count)")
                if Thread.current.isCancelled { return }
                usleep(20_000)
            }
        }
        steps.start()
        manager.queryActivityStarting(from: Date(), to: Date(), to: queue) { calls.note($0, $1) }
        #expect(eventually { calls.count == 1 })
        steps.cancel()
        #expect(calls.values.first?.first?.walking == true && calls.values.first?.first?.confidence == .low)
        while !steps.isFinished { usleep(1000) }
        let still = try #require(try query(rig).values.first?.first)
        #expect(still.unknown && !still.walking && !still.stationary)
    }

    @Test func `updates report the activity and its changes`() throws {
        let rig = try MotionRig()
        rig.memory.add(0, "band", ["in_activity_still_input": "100", "in_activity_walking_input": "0"])
        let calls = Calls<CMMotionActivity>()
        let manager = rig.made { CMMotionActivityManager() }
        manager.startActivityUpdates(to: queue) { calls.note($0, nil) }
        #expect(eventually { calls.count == 1 })
        rig.memory.set(0, "in_activity_still_input", "0")
        rig.memory.set(0, "in_activity_walking_input", "100")
        #expect(eventually { calls.values.last?.walking == true })
        manager.stopActivityUpdates()
        #expect(calls.values.first?.stationary == true)
    }

    @Test func `a query can be awaited`() async throws {
        let rig = try MotionRig()
        rig.memory.add(0, "band", ["in_activity_walking_input": "100"])
        let manager = rig.made { CMMotionActivityManager() }
        let activities = try await manager.queryActivityStarting(from: Date(), to: Date(), to: queue)
        #expect(activities.map(\.walking) == [true])
    }
}

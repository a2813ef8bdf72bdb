internal import DriverKit
internal import Foundation
internal import IIOCapture

/// What a chip says of the present.
struct ObservedActivity: Sendable, Hashable {
    /// What is done; nil where nothing is known.
    var activity: ActivityChannels.Activity?
    /// How sure that is.
    var confidence: CMMotionActivityConfidence

    init(_ activity: ActivityChannels.Activity?, _ confidence: CMMotionActivityConfidence) {
        self.activity = activity
        self.confidence = confidence
    }

    /// The activity that the chip is most sure of; equal ones are told as the livelier one.
    init(_ confidences: [ActivityChannels.Activity: Double]) {
        var best: (activity: ActivityChannels.Activity, percent: Double)?
        for activity in ActivityChannels.Activity.allCases {
            guard let percent = confidences[activity], percent > 0, percent >= best?.percent ?? 0 else { continue }
            best = (activity, percent)
        }
        guard let best else {
            self.init(nil, .low)
            return
        }
        self.init(best.activity, best.percent >= 67 ? .high : best.percent >= 34 ? .medium : .low)
    }
}

/// Where this rig's activities are told.
enum ActivitySource: Sendable {
    case channels(ActivityChannels)
    /// A count that grows while its bearer walks, and says nothing while it does not.
    case steps(StepCounter)

    /// How long a count is watched, in seconds: longer than a slow step.
    static let watch = 2.0

    /// The source of a world; nil where no chip tells anything.
    static func find(in world: any World) -> ActivitySource? {
        if let channels = try? ActivityChannels(in: world) { return .channels(channels) }
        if let counter = try? StepCounter(in: world) { return .steps(counter) }
        return nil
    }

    /// What is done now; blocks.
    func observe() throws(DriverError) -> ObservedActivity {
        switch self {
        case .channels(let channels): return ObservedActivity(try channels.confidences())
        case .steps(let counter):
            let before = try counter.count()
            Thread.sleep(forTimeInterval: Self.watch)
            return ObservedActivity(try counter.count() > before ? .walking : nil, .low)
        }
    }
}

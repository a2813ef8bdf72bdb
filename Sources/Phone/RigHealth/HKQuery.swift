public import Foundation

/// How a sample's time and a query's must lie to each other; here a count is cut at the readings within the time.
public struct HKQueryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes options.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The sample must begin within the time.
    public static let strictStartDate = HKQueryOptions(rawValue: 1)
    /// The sample must end within the time.
    public static let strictEndDate = HKQueryOptions(rawValue: 2)
}

/// A question to a store.
open class HKQuery: NSObject, @unchecked Sendable {
    /// What is asked for.
    public let objectType: HKObjectType?
    /// Which samples count.
    public let predicate: NSPredicate?
    /// The time asked for; nil where the predicate is none of `predicateForSamples`.
    let time: AskedTime?

    init(_ type: HKObjectType, _ predicate: NSPredicate?) {
        objectType = type
        self.predicate = predicate
        time = predicate == nil ? AskedTime(start: nil, end: nil) : (predicate as? TimePredicate)?.time
        super.init()
    }

    /// A predicate for the samples of a time; nil leaves an end open.
    open class func predicateForSamples(
        withStart start: Date?, end: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        TimePredicate(AskedTime(start: start, end: end))
    }

    /// What is wrong with the question; nil where it can be asked.
    var fault: HKError? {
        guard objectType?.identifier == HKQuantityTypeIdentifier.stepCount.rawValue else {
            return HKError(.errorInvalidArgument, "a rig has no \(objectType?.identifier ?? "such data")")
        }
        guard let time else {
            return HKError(.errorInvalidArgument, "only predicates of predicateForSamples are served")
        }
        if let start = time.start, let end = time.end, end < start {
            return HKError(.errorInvalidArgument, "the time begins after its end")
        }
        return nil
    }

    /// Gives the answer to whoever asked.
    func answer(_ answer: Result<StepSpan, HKError>) {}
}

/// A time that is asked for.
struct AskedTime: Sendable, Hashable {
    var start: Date?
    var end: Date?
}

/// A predicate whose time can be seen, which a general one's cannot.
private final class TimePredicate: NSPredicate {
    let time: AskedTime

    init(_ time: AskedTime) {
        self.time = time
        super.init { object, _ in
            guard let sample = object as? HKSample else { return false }
            return sample.endDate >= time.start ?? .distantPast && sample.startDate <= time.end ?? .distantFuture
        }
    }

    required init?(coder: NSCoder) { nil }
}

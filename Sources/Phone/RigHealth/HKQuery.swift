public import Foundation

/// How a sample's interval and a query's must relate; here a count is limited to the readings within the interval.
public struct HKQueryOptions: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt
    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The sample must begin within the interval.
    public static let strictStartDate = HKQueryOptions(rawValue: 1)
    /// The sample must end within the interval.
    public static let strictEndDate = HKQueryOptions(rawValue: 2)
}

/// A query to a store.
open class HKQuery: NSObject, @unchecked Sendable {
    /// The requested type.
    public let objectType: HKObjectType?
    /// Which samples are included.
    public let predicate: NSPredicate?
    /// The requested interval; nil if the predicate does not come from `predicateForSamples`.
    let time: AskedTime?

    init(_ type: HKObjectType, _ predicate: NSPredicate?) {
        objectType = type
        self.predicate = predicate
        time = predicate == nil ? AskedTime(start: nil, end: nil) : (predicate as? TimePredicate)?.time
        super.init()
    }

    /// A predicate for the samples of an interval; nil leaves an end open.
    open class func predicateForSamples(
        withStart start: Date?, end: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        TimePredicate(AskedTime(start: start, end: end))
    }

    /// What is invalid in the query; nil if it can be run.
    var fault: HKError? {
        guard objectType?.identifier == HKQuantityTypeIdentifier.stepCount.rawValue else {
            return HKError(.errorInvalidArgument, "a rig has no \(objectType?.identifier ?? "such data")")
        }
        guard let time else {
            return HKError(.errorInvalidArgument, "only predicates of predicateForSamples are supported")
        }
        if let start = time.start, let end = time.end, end < start {
            return HKError(.errorInvalidArgument, "the time begins after its end")
        }
        return nil
    }

    /// Passes the result to the handler.
    func answer(_ answer: Result<StepSpan, HKError>) {}
}

/// A requested interval.
struct AskedTime: Sendable, Hashable {
    var start: Date?
    var end: Date?
}

/// A predicate whose interval can be read, unlike a general one's.
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

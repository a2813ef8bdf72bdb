public import Foundation

/// How a sample's interval and a query's must relate; here a count is limited to the readings within the interval.
public struct HKQueryOptions: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt
    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The sample must begin, or end, within the interval.
    public static let strictStartDate = HKQueryOptions(rawValue: 1), strictEndDate = HKQueryOptions(rawValue: 2)
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
        time = predicate == nil ? AskedTime() : (predicate as? TimePredicate)?.time
        super.init()
    }

    /// A predicate for the samples of an interval; nil leaves an end open.
    open class func predicateForSamples(
        withStart start: Date?, end: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        TimePredicate(AskedTime(start: start, end: end))
    }

    func checkedTime() throws(HKError) -> AskedTime {
        guard objectType?.identifier == HKQuantityTypeIdentifier.stepCount.rawValue else {
            throw HKError(
                .errorInvalidArgument, "a rig has no \(objectType?.identifier ?? "such data")",
                remedy: "query \(HKQuantityTypeIdentifier.stepCount.rawValue)")
        }
        guard let time else {
            throw HKError(
                .errorInvalidArgument, "only predicates of predicateForSamples are supported",
                remedy: "use HKQuery.predicateForSamples(withStart:end:options:)")
        }
        if let start = time.start, let end = time.end, end < start {
            throw HKError(
                .errorInvalidArgument, "the time begins after its end", remedy: "exchange start and end")
        }
        return time
    }

    func answer(_ answer: Result<StepSpan, HKError>) {}
}

struct AskedTime: Sendable, Hashable {
    var start, end: Date?

    /// Whether an interval reaches into it.
    func overlaps(_ start: Date, _ end: Date) -> Bool {
        end >= self.start ?? .distantPast && start <= self.end ?? .distantFuture
    }
}

/// A predicate whose interval can be read, unlike a general one's.
private final class TimePredicate: NSPredicate {
    let time: AskedTime

    init(_ time: AskedTime) {
        self.time = time
        super.init { object, _ in (object as? HKSample).map { time.overlaps($0.startDate, $0.endDate) } ?? false }
    }

    required init?(coder: NSCoder) { nil }
}

/// No limit to the number of samples.
public let HKObjectQueryNoLimit = 0

/// A query for the steps of an interval as samples: one, from the first reading within the interval to the last.
public final class HKSampleQuery: HKQuery, @unchecked Sendable {
    private let handler: (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    /// Creates a query; there is at most one sample, so limit and order have no effect.
    public init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        resultsHandler handler: @escaping (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        self.handler = handler
        super.init(sampleType, predicate)
    }

    override func answer(_ answer: Result<StepSpan, HKError>) {
        switch answer {
        case .success(let span):
            let sample = HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(span), start: span.start, end: span.end)
            handler(self, [sample], nil)
        // An absence of samples is not an error.
        case .failure(let error) where error.code == .errorNoData: handler(self, [], nil)
        case .failure(let error): handler(self, nil, error)
        }
    }
}

/// What is computed from the samples.
public struct HKStatisticsOptions: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt
    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The sum, which is valid for a count.
    public static let cumulativeSum = HKStatisticsOptions(rawValue: 16)
}

/// The computed statistics.
public final class HKStatistics: NSObject, @unchecked Sendable {
    /// The type of the samples.
    public let quantityType: HKQuantityType
    /// The times of the first and the last reading within the interval: other steps are not in the sum.
    public let startDate, endDate: Date
    private let sum: HKQuantity

    init(_ type: HKQuantityType, _ span: StepSpan) {
        quantityType = type
        startDate = span.start
        endDate = span.end
        sum = HKQuantity(span)
        super.init()
    }

    /// The sum.
    public func sumQuantity() -> HKQuantity? { sum }
}

/// A query for the sum of the steps in an interval.
public final class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    /// Creates a query; `execute` runs it.
    public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?, options: HKStatisticsOptions = [],
        completionHandler handler: @escaping (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
    ) {
        type = quantityType
        self.options = options
        self.handler = handler
        super.init(quantityType, quantitySamplePredicate)
    }

    override func checkedTime() throws(HKError) -> AskedTime {
        let time = try super.checkedTime()
        guard options.isSubset(of: .cumulativeSum) else {
            throw HKError(
                .errorInvalidArgument, "only the sum of a count is computed", remedy: "use .cumulativeSum")
        }
        return time
    }

    override func answer(_ answer: Result<StepSpan, HKError>) {
        switch answer {
        case .success(let span): handler(self, HKStatistics(type, span), nil)
        case .failure(let error): handler(self, nil, error)
        }
    }
}

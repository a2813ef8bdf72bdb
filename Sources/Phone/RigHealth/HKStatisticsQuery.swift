public import Foundation

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
    /// The time of the first reading within the interval: earlier steps are not in the sum.
    public let startDate: Date
    /// The time of the last reading.
    public let endDate: Date
    private let sum: HKQuantity

    init(_ type: HKQuantityType, _ span: StepSpan) {
        quantityType = type
        startDate = span.start
        endDate = span.end
        sum = HKQuantity(unit: .count(), doubleValue: Double(span.steps))
        super.init()
    }

    /// The sum.
    public func sumQuantity() -> HKQuantity? { sum }
}

/// A query for the sum of the steps in an interval.
public final class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    // Called once, by the store's own thread.
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

    override var fault: HKError? {
        super.fault
            ?? (options.isSubset(of: .cumulativeSum)
                ? nil : HKError(.errorInvalidArgument, "only the sum of a count is computed"))
    }

    override func answer(_ answer: Result<StepSpan, HKError>) {
        switch answer {
        case .success(let span): handler(self, HKStatistics(type, span), nil)
        case .failure(let error): handler(self, nil, error)
        }
    }
}

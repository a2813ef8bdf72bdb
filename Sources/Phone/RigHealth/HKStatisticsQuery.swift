public import Foundation

/// What is reckoned of the samples.
public struct HKStatisticsOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes options.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The sum, which is what a count has.
    public static let cumulativeSum = HKStatisticsOptions(rawValue: 16)
}

/// What was reckoned.
public final class HKStatistics: NSObject, @unchecked Sendable {
    /// Of what.
    public let quantityType: HKQuantityType
    /// When the first reading within the time was made: steps before it are not in the sum.
    public let startDate: Date
    /// When the last one was made.
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

/// Asks for the sum of the steps of a time.
public final class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    // Called once, by the store's own thread.
    private let handler: (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    /// Makes a query; `execute` asks it.
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
                ? nil : HKError(.errorInvalidArgument, "of a count only the sum is reckoned"))
    }

    override func answer(_ answer: Result<StepSpan, HKError>) {
        switch answer {
        case .success(let span): handler(self, HKStatistics(type, span), nil)
        case .failure(let error): handler(self, nil, error)
        }
    }
}

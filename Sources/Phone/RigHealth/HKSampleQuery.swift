public import Foundation

/// No limit to the number of samples.
public let HKObjectQueryNoLimit = 0

/// A query for the steps of an interval as samples: one, from the first reading within the interval to the last.
public final class HKSampleQuery: HKQuery, @unchecked Sendable {
    private let type: HKSampleType
    // Called once, by the store's own thread.
    private let handler: (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    /// Creates a query; `execute` runs it.
    ///
    /// There is at most one sample, so limit and order have no effect.
    public init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        resultsHandler handler: @escaping (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        type = sampleType
        self.handler = handler
        super.init(sampleType, predicate)
    }

    override func answer(_ answer: Result<StepSpan, HKError>) {
        switch answer {
        case .success(let span):
            let quantity = HKQuantity(unit: .count(), doubleValue: Double(span.steps))
            handler(
                self,
                [
                    HKQuantitySample(
                        type: HKQuantityType(.stepCount), quantity: quantity, start: span.start, end: span.end)
                ],
                nil)
        // An absence of samples is not an error.
        case .failure(let error) where error.code == .errorNoData: handler(self, [], nil)
        case .failure(let error): handler(self, nil, error)
        }
    }
}

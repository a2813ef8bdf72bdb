public import Foundation

/// A measurement over an interval.
open class HKSample: NSObject, @unchecked Sendable {
    // Immutable, so any thread may read them.
    /// Its kind.
    public let sampleType: HKSampleType
    /// When it begins.
    public let startDate: Date
    /// When it ends.
    public let endDate: Date

    fileprivate init(_ type: HKSampleType, _ start: Date, _ end: Date) {
        sampleType = type
        startDate = start
        endDate = end
        super.init()
    }
}

/// A quantity measured over an interval.
public final class HKQuantitySample: HKSample, @unchecked Sendable {
    /// Its kind.
    public let quantityType: HKQuantityType
    /// The quantity.
    public let quantity: HKQuantity

    /// Creates a sample.
    public init(type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date) {
        quantityType = type
        self.quantity = quantity
        super.init(type, start, end)
    }
}

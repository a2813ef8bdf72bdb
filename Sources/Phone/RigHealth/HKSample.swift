public import Foundation

/// Something that was measured over a time.
open class HKSample: NSObject, @unchecked Sendable {
    // Never change, so any thread may read them.
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

/// A quantity that was measured over a time.
public final class HKQuantitySample: HKSample, @unchecked Sendable {
    /// Its kind.
    public let quantityType: HKQuantityType
    /// How much.
    public let quantity: HKQuantity

    /// Makes a sample.
    public init(type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date) {
        quantityType = type
        self.quantity = quantity
        super.init(type, start, end)
    }
}

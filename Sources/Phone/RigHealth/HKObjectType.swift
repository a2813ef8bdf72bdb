public import Foundation
@_exported public import PhoneKit

/// A kind of health data.
open class HKObjectType: NSObject, @unchecked Sendable {
    /// The name, such as `HKQuantityTypeIdentifierStepCount`.
    public let identifier: String

    fileprivate init(name: String) { identifier = name }

    open override func isEqual(_ object: Any?) -> Bool { (object as? HKObjectType)?.identifier == identifier }
    open override var hash: Int { identifier.hashValue }

    /// The quantity of an identifier.
    open class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        HKQuantityType(identifier)
    }

    /// The characteristic of an identifier.
    open class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? { HKCharacteristicType(identifier) }

    /// The same, in the spelling before Swift 3.
    public class func quantityTypeForIdentifier(_ identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        HKQuantityType(identifier)
    }

    /// The same, in the spelling before Swift 3.
    public class func characteristicTypeForIdentifier(
        _ identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? { HKCharacteristicType(identifier) }
}

/// A kind of data that comes in samples.
open class HKSampleType: HKObjectType, @unchecked Sendable {}

/// A kind of data whose samples are quantities; a rig has only `stepCount`.
public final class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// Creates the type of an identifier.
    public init(_ identifier: HKQuantityTypeIdentifier) { super.init(name: identifier.rawValue) }

    /// Whether its quantities can be expressed in a unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool { self == HKQuantityType(.stepCount) }
}

/// A kind of data that a person has once; a rig has none, so it can be requested but never read.
public final class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// Makes the type of an identifier.
    public init(_ identifier: HKCharacteristicTypeIdentifier) { super.init(name: identifier.rawValue) }
}

extension HealthKitTypes {
    /// Makes a choice of types.
    public init(
        readCharacteristics: Set<HKCharacteristicType>, readQuantities: Set<HKQuantityType>,
        writeQuantities: Set<HKQuantityType>
    ) {
        func names<Name: RawRepresentable<String>>(_ types: Set<some HKObjectType>) -> Set<Name> {
            Set(types.compactMap { Name(rawValue: $0.identifier) })
        }
        self.init(
            readCharacteristics: names(readCharacteristics),
            readQuantities: names(readQuantities), writeQuantities: names(writeQuantities))
    }
}

/// A measurement over an interval.
open class HKSample: NSObject, @unchecked Sendable {
    /// Its kind.
    public let sampleType: HKSampleType
    /// When it begins, and when it ends.
    public let startDate, endDate: Date

    fileprivate init(_ type: HKSampleType, _ start: Date, _ end: Date) {
        sampleType = type
        startDate = start
        endDate = end
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

/// A unit; steps are counted, so `count()` is the only one.
public final class HKUnit: NSObject, Sendable {
    private static let counts = HKUnit()

    private override init() { super.init() }

    /// The unit of counts.
    public class func count() -> HKUnit { counts }

    /// The name.
    public var unitString: String { "count" }
}

/// A number with a unit.
public final class HKQuantity: NSObject, Sendable {
    private let value: Double

    /// Makes a quantity.
    public init(unit: HKUnit, doubleValue value: Double) { self.value = value }

    convenience init(_ span: StepSpan) { self.init(unit: .count(), doubleValue: Double(span.steps)) }

    /// True: there is only one unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool { true }

    /// The number in the only unit.
    public func doubleValue(for unit: HKUnit) -> Double { value }
}

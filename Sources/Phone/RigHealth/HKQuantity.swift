public import Foundation

/// A unit; steps are counted, so `count()` is the only one.
public final class HKUnit: NSObject, @unchecked Sendable {
    /// The name, such as `count`.
    public let unitString: String

    private init(name: String) {
        unitString = name
        super.init()
    }

    /// The unit of counts.
    public class func count() -> HKUnit { HKUnit(name: "count") }

    /// Compares names.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKUnit)?.unitString == unitString }

    /// Hashes the name.
    public override var hash: Int { unitString.hashValue }
}

/// A number with a unit.
public final class HKQuantity: NSObject, @unchecked Sendable {
    private let unit: HKUnit
    private let value: Double

    /// Makes a quantity.
    public init(unit: HKUnit, doubleValue value: Double) {
        self.unit = unit
        self.value = value
        super.init()
    }

    /// Whether it can be expressed in a unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool { unit == self.unit }

    /// The number in the only unit.
    public func doubleValue(for unit: HKUnit) -> Double { value }
}

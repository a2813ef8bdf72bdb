public import Foundation

/// A unit; steps are counted, so `count()` is the one that there is.
public final class HKUnit: NSObject, @unchecked Sendable {
    /// The name, such as `count`.
    public let unitString: String

    private init(name: String) {
        unitString = name
        super.init()
    }

    /// Pieces.
    public class func count() -> HKUnit { HKUnit(name: "count") }

    /// Equal units have the same name.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKUnit)?.unitString == unitString }

    /// By name.
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

    /// Whether it can be told in a unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool { unit == self.unit }

    /// The number in a unit, of which there is one.
    public func doubleValue(for unit: HKUnit) -> Double { value }
}

public import Foundation

/// A kind of health data.
open class HKObjectType: NSObject, @unchecked Sendable {
    // Immutable, so any thread may read it.
    /// The name, such as `HKQuantityTypeIdentifierStepCount`.
    public let identifier: String

    fileprivate init(name: String) {
        identifier = name
        super.init()
    }

    /// Compares names.
    open override func isEqual(_ object: Any?) -> Bool { (object as? HKObjectType)?.identifier == identifier }

    /// Hashes the name.
    open override var hash: Int { identifier.hashValue }

    /// The quantity of an identifier.
    open class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        HKQuantityType(identifier)
    }

    /// The characteristic of an identifier.
    open class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        HKCharacteristicType(identifier)
    }
}

/// A kind of data that comes in samples.
open class HKSampleType: HKObjectType, @unchecked Sendable {}

/// A kind of data whose samples are quantities; a rig has only `stepCount`.
public final class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// Creates the type of an identifier.
    public init(_ identifier: HKQuantityTypeIdentifier) { super.init(name: identifier.rawValue) }

    /// Whether its quantities can be expressed in a unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool {
        identifier == HKQuantityTypeIdentifier.stepCount.rawValue && unit == .count()
    }
}

/// A kind of data that a person has once; a rig has none, so it can be requested but never read.
public final class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// Makes the type of an identifier.
    public init(_ identifier: HKCharacteristicTypeIdentifier) { super.init(name: identifier.rawValue) }
}

/// The name of a quantity.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Makes an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps, by the rig's step counter.
    public static let stepCount = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount")
    /// A person's height; a rig has none.
    public static let height = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierHeight")
    /// A person's mass; a rig has none.
    public static let bodyMass = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierBodyMass")
}

/// The name of a characteristic.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Makes an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A person's sex; a rig has none.
    public static let biologicalSex = HKCharacteristicTypeIdentifier(
        rawValue: "HKCharacteristicTypeIdentifierBiologicalSex")
    /// A person's date of birth; a rig has none.
    public static let dateOfBirth = HKCharacteristicTypeIdentifier(
        rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")
}

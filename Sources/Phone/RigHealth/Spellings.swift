// The names before Swift 3, which older programs still use.

/// Equals `HKQuantityTypeIdentifier.stepCount`.
public let HKQuantityTypeIdentifierStepCount = HKQuantityTypeIdentifier.stepCount
/// Equals `HKQuantityTypeIdentifier.height`.
public let HKQuantityTypeIdentifierHeight = HKQuantityTypeIdentifier.height
/// Equals `HKQuantityTypeIdentifier.bodyMass`.
public let HKQuantityTypeIdentifierBodyMass = HKQuantityTypeIdentifier.bodyMass
/// Equals `HKCharacteristicTypeIdentifier.biologicalSex`.
public let HKCharacteristicTypeIdentifierBiologicalSex = HKCharacteristicTypeIdentifier.biologicalSex
/// Equals `HKCharacteristicTypeIdentifier.dateOfBirth`.
public let HKCharacteristicTypeIdentifierDateOfBirth = HKCharacteristicTypeIdentifier.dateOfBirth

extension HKObjectType {
    /// Calls `quantityType(forIdentifier:)`.
    public class func quantityTypeForIdentifier(_ identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        quantityType(forIdentifier: identifier)
    }

    /// Calls `characteristicType(forIdentifier:)`.
    public class func characteristicTypeForIdentifier(
        _ identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        characteristicType(forIdentifier: identifier)
    }
}

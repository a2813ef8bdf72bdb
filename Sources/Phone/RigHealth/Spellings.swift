// The names as they were before Swift 3, which older programs still have.

/// `HKQuantityTypeIdentifier.stepCount`.
public let HKQuantityTypeIdentifierStepCount = HKQuantityTypeIdentifier.stepCount
/// `HKQuantityTypeIdentifier.height`.
public let HKQuantityTypeIdentifierHeight = HKQuantityTypeIdentifier.height
/// `HKQuantityTypeIdentifier.bodyMass`.
public let HKQuantityTypeIdentifierBodyMass = HKQuantityTypeIdentifier.bodyMass
/// `HKCharacteristicTypeIdentifier.biologicalSex`.
public let HKCharacteristicTypeIdentifierBiologicalSex = HKCharacteristicTypeIdentifier.biologicalSex
/// `HKCharacteristicTypeIdentifier.dateOfBirth`.
public let HKCharacteristicTypeIdentifierDateOfBirth = HKCharacteristicTypeIdentifier.dateOfBirth

extension HKObjectType {
    /// `quantityType(forIdentifier:)`.
    public class func quantityTypeForIdentifier(_ identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        quantityType(forIdentifier: identifier)
    }

    /// `characteristicType(forIdentifier:)`.
    public class func characteristicTypeForIdentifier(
        _ identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        characteristicType(forIdentifier: identifier)
    }
}

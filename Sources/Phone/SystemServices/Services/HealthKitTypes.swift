/// A quantity of health data, by HealthKit's identifier.
public struct HealthQuantity: RawRepresentable, Sendable, Hashable {
    /// HealthKit's identifier.
    public let rawValue: String
    /// Takes any identifier, since HealthKit has hundreds.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps walked: the only quantity that Linux can read.
    public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")
    /// Height and mass of the body.
    public static let height = Self(rawValue: "HKQuantityTypeIdentifierHeight"),
        bodyMass = Self(rawValue: "HKQuantityTypeIdentifierBodyMass")
}

/// A characteristic of a person, by HealthKit's identifier.
public struct HealthCharacteristic: RawRepresentable, Sendable, Hashable {
    /// HealthKit's identifier.
    public let rawValue: String
    /// Takes any identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Biological sex and date of birth.
    public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex"),
        dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")
}

/// The health data that an app requests.
public struct HealthKitTypes: Sendable, Equatable {
    /// Characteristics to read.
    public var readCharacteristics: Set<HealthCharacteristic>
    /// Quantities to read, and to write.
    public var readQuantities, writeQuantities: Set<HealthQuantity>

    /// Makes a choice of types.
    public init(
        readCharacteristics: Set<HealthCharacteristic> = [], readQuantities: Set<HealthQuantity> = [],
        writeQuantities: Set<HealthQuantity> = []
    ) {
        self.readCharacteristics = readCharacteristics
        self.readQuantities = readQuantities
        self.writeQuantities = writeQuantities
    }

    /// Reads only steps.
    public static let steps = HealthKitTypes(readQuantities: [.stepCount])

    /// Whether nothing is requested.
    public var isEmpty: Bool { readCharacteristics.isEmpty && readQuantities.isEmpty && writeQuantities.isEmpty }

    /// The types that Linux does not have, by identifier, in order: all but reading steps.
    public var unsupported: [String] {
        let quantities = readQuantities.subtracting([.stepCount]).map(\.rawValue)
        return (readCharacteristics.map(\.rawValue) + quantities + writeQuantities.map { "writing \($0.rawValue)" })
            .sorted()
    }
}

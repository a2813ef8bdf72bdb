/// The health data that an app requests.
public struct HealthKitTypes: Sendable, Equatable {
    /// Characteristics to read.
    public var readCharacteristics: Set<HKCharacteristicTypeIdentifier>
    /// Quantities to read, and to write.
    public var readQuantities, writeQuantities: Set<HKQuantityTypeIdentifier>

    /// Makes a choice of types; with `RigHealth` their `HKObjectType`s may be given instead.
    public init(
        readCharacteristics: Set<HKCharacteristicTypeIdentifier> = [],
        readQuantities: Set<HKQuantityTypeIdentifier> = [], writeQuantities: Set<HKQuantityTypeIdentifier> = []
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

    /// Adds other types.
    public mutating func formUnion(_ other: HealthKitTypes) {
        readCharacteristics.formUnion(other.readCharacteristics)
        readQuantities.formUnion(other.readQuantities)
        writeQuantities.formUnion(other.writeQuantities)
    }

    /// Adds a type by its name: an identifier, or its end such as `stepCount` or `dateOfBirth`; false if it is no name.
    ///
    /// An end is a quantity's unless it is one of HealthKit's characteristics; `write:` before a quantity writes it.
    public mutating func insert(named name: String) -> Bool {
        let (quantity, characteristic) = ("HKQuantityTypeIdentifier", "HKCharacteristicTypeIdentifier")
        let isWritten = name.hasPrefix("write:")
        let word = name.dropFirst(isWritten ? "write:".count : 0)
        let end = [quantity, characteristic].first(where: word.hasPrefix).map { word.dropFirst($0.count) } ?? word
        guard let first = end.first, end.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), first.isLetter
        else { return false }
        let identifier = first.uppercased() + end.dropFirst()
        if word.hasPrefix(characteristic) || !word.hasPrefix(quantity) && Self.characteristics.contains(identifier) {
            guard !isWritten else { return false }
            readCharacteristics.insert(HKCharacteristicTypeIdentifier(rawValue: characteristic + identifier))
        } else if isWritten {
            writeQuantities.insert(HKQuantityTypeIdentifier(rawValue: quantity + identifier))
        } else {
            readQuantities.insert(HKQuantityTypeIdentifier(rawValue: quantity + identifier))
        }
        return true
    }

    /// HealthKit's characteristics (Apple, "HKCharacteristicTypeIdentifier").
    private static let characteristics = [
        "ActivityMoveMode", "BiologicalSex", "BloodType", "DateOfBirth", "FitzpatrickSkinType", "WheelchairUse",
    ]
}

/// The name of a quantity, one of hundreds in HealthKit.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Makes an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps, by the rig's step counter.
    public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")
    /// Quantities of a person that a rig does not have.
    public static let height = Self(rawValue: "HKQuantityTypeIdentifierHeight"),
        bodyMass = Self(rawValue: "HKQuantityTypeIdentifierBodyMass")
}

/// The name of a characteristic.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Makes an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Characteristics of a person; a rig has none.
    public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex"),
        dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")
}

/// The names before Swift 3, which older programs still use.
public let HKQuantityTypeIdentifierStepCount = HKQuantityTypeIdentifier.stepCount,
    HKQuantityTypeIdentifierHeight = HKQuantityTypeIdentifier.height,
    HKQuantityTypeIdentifierBodyMass = HKQuantityTypeIdentifier.bodyMass,
    HKCharacteristicTypeIdentifierBiologicalSex = HKCharacteristicTypeIdentifier.biologicalSex,
    HKCharacteristicTypeIdentifierDateOfBirth = HKCharacteristicTypeIdentifier.dateOfBirth

import RigHealth
import PhoneKit
import Testing

/// A study that asks for what it needs before it begins, in the shape of C3-PRO's example.
private struct Study {
    struct Options { var wantedServicePermissions: [SystemService] = [] }
    var options = Options()

    /// The titles of what may not be used yet.
    func missing(_ permissioner: SystemServicePermissioner) -> [String] {
        options.wantedServicePermissions.filter { !permissioner.hasPermission(for: $0) }.map(\.title)
    }
}

/// C3-PRO's sample compiles here unchanged, with our own texts.
@Suite struct SampleTests {
    @Test func `a list of required services is requested`() throws {
        var category = NotificationCategory()
        category.identifier = "later"
        category.setActions(["in an hour", "tomorrow"])
        // The health types are those of the library with HealthKit's name.
        let characteristics = Set<HKCharacteristicType>([
            HKCharacteristicType.characteristicTypeForIdentifier(HKCharacteristicTypeIdentifierBiologicalSex)!,
            HKCharacteristicType.characteristicTypeForIdentifier(HKCharacteristicTypeIdentifierDateOfBirth)!,
        ])
        let quantities = Set<HKQuantityType>([
            HKQuantityType.quantityTypeForIdentifier(HKQuantityTypeIdentifierHeight)!,
            HKQuantityType.quantityTypeForIdentifier(HKQuantityTypeIdentifierBodyMass)!,
        ])
        let types = HealthKitTypes(
            readCharacteristics: characteristics, readQuantities: quantities, writeQuantities: Set())
        #expect(
            types
                == HealthKitTypes(
                    readCharacteristics: [.biologicalSex, .dateOfBirth], readQuantities: [.height, .bodyMass]))

        var study = Study()
        study.options.wantedServicePermissions = [
            SystemService.localNotifications(Set(arrayLiteral: category)), SystemService.coreMotion,
            SystemService.geoLocationWhenUsing("To find the way to the clinic."), SystemService.healthKit(types),
        ]
        let permissioner = SystemServicePermissioner(Bench().host)
        #expect(study.missing(permissioner) == ["health data"])
        #expect(permissioner.hasGeoLocationPermissions(always: false))
        #expect(permissioner.hasPermission(for: .coreMotion))
        #expect(permissioner.hasLocalNotificationsPermissions(for: [category]))
        #expect(!permissioner.hasHealthKitPermissions(for: types))
        #expect(permissioner.hasHealthKitPermissions(for: .steps))
    }

    @Test func `this machine can be asked`() {
        // Whatever the state: no query asks, writes or fails.
        let permissioner = SystemServicePermissioner()
        for service in [.coreMotion, .microphone, .bluetooth, .geoLocationAlways(""), .healthKit(.steps)]
            as [SystemService]
        {
            #expect(!permissioner.state(of: service).evidence.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("health", .steps), ("health=stepCount", .steps),
            ("health=HKQuantityTypeIdentifierStepCount,height", HealthKitTypes(readQuantities: [.stepCount, .height])),
            (
                "health=dateOfBirth,write:bodyMass",
                HealthKitTypes(readCharacteristics: [.dateOfBirth], writeQuantities: [.bodyMass])
            ),
            (
                "health=HKCharacteristicTypeIdentifierBiologicalSex",
                HealthKitTypes(readCharacteristics: [.biologicalSex])
            ),
        ] as [(String, HealthKitTypes)])
    func `health is named with its types`(name: String, types: HealthKitTypes) {
        #expect(SystemService(named: name) == .healthKit(types))
    }

    @Test(arguments: [
        "", "hea", "motion=", "health=", "health=height,", "health=write:dateOfBirth", "health=a b", "health=height=x",
    ])
    func `other names are no services`(name: String) { #expect(SystemService(named: name) == nil) }

    @Test func `the names are those of files`() {
        let all: [SystemService] = [
            .geoLocationWhenUsing(""), .geoLocationAlways(""), .coreMotion, .bluetooth, .healthKit(.steps),
            .localNotifications([]), .microphone,
        ]
        #expect(all.map(\.id) == SystemService.ids)
        #expect(SystemService.ids.map { SystemService(named: $0)?.id } == SystemService.ids)
        #expect(SystemService.geoLocationAlways("Why.").usage == "Why.")
        for service in all {
            #expect(!service.title.isEmpty && !service.backing.isEmpty && !service.howToChange.isEmpty)
        }
    }
}

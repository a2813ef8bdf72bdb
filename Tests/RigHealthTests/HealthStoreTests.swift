import CaptureSupport
import Foundation
import IIO
import LocalRig
import PhoneKit
import PhoneSupport
import Readiness
import Synchronization
import SystemPackage
import Testing

#if canImport(HealthKit)
    import HealthKit
#else
    import RigHealth
#endif

/// `HKHealthStore` on a simulated rig.
@Suite struct HealthStoreTests {
    /// A rig whose step counter has counted that many steps.
    private func rig(
        _ steps: String? = "1234", grants: String? = nil, policy: String? = nil,
        configuration: String? = TestRig.purposes, isOn: Bool = true, answer: FixedPrompter = FixedPrompter(.allow)
    ) throws -> (memory: MemoryRig, test: TestRig) {
        let memory = MemoryRig()
        if let steps { memory.add(0, "pedometer", ["in_steps_input": steps, "in_steps_en": isOn ? "1" : "0"]) }
        return (
            memory,
            try TestRig(
                grants: grants, policy: policy, configuration: configuration, drivers: [IIODriver()], world: memory,
                prompter: answer)
        )
    }

    private func made<Made>(_ test: TestRig, _ make: () throws -> Made) rethrows -> Made {
        try PhoneRig.$substitute.withValue(test.rig) { try make() }
    }

    private final class Answers: Sendable {
        private let answers = Mutex<[String]>([])
        func note(_ words: String) { answers.withLock { $0.append(words) } }
        var all: [String] { answers.withLock { $0 } }
    }

    private func name(_ error: (any Error)?) -> String { (error as? HKError).map { "\($0.code)" } ?? "\(error as Any)" }

    /// The sum of the steps of an interval, as text.
    private func sum(
        _ store: HKHealthStore, from start: Date? = nil, to end: Date? = nil,
        _ options: HKStatisticsOptions = .cumulativeSum
    ) -> String? {
        let answers = Answers()
        let predicate = start == nil && end == nil ? nil : HKQuery.predicateForSamples(withStart: start, end: end)
        store.execute(
            HKStatisticsQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: predicate, options: options
            ) { _, statistics, error in
                let steps = statistics?.sumQuantity()?.doubleValue(for: .count())
                answers.note(steps.map { "\(Int($0))" } ?? name(error))
            })
        return eventually { answers.all.count == 1 } ? answers.all.first : nil
    }

    @Test(arguments: ["missing", "denied", "restricted", "off", "unread"])
    func `errors carry what fixes their cause`(reason: String) throws {
        let (memory, test) = try rig(
            reason == "missing" ? nil : "1234", grants: reason == "denied" ? "health: denied" : nil,
            policy: reason == "restricted" ? "health: restricted" : nil, isOn: reason != "off")
        if reason == "unread" { memory.fail(0, "in_steps_input", .ioError) }
        let store = made(test) { HKHealthStore() }
        let answers = Answers()
        store.execute(
            HKStatisticsQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum
            ) { _, _, error in
                let suggestion = (error.map { $0 as NSError })?.localizedRecoverySuggestion
                answers.note(suggestion ?? "none")
            })
        #expect(eventually { answers.all.count == 1 })
        #expect(answers.all.first != "none" && answers.all.first?.isEmpty == false)
        let words = [
            "missing": test.state.assessment.result(of: .healthStore)?.remedies.words,
            "denied": test.state.authorizations.health.remedies.words,
            "restricted": test.state.authorizations.health.remedies.words,
        ]
        if let expected = words[reason] { #expect(expected != nil && answers.all == [expected]) }
    }

    @Test func `the count since boot is the sum without a time`() throws {
        let (memory, test) = try rig()
        let store = made(test) { HKHealthStore() }
        #expect(made(test) { HKHealthStore.isHealthDataAvailable() })
        #expect(sum(store) == "1234")
        memory.set(0, "in_steps_input", "1250")
        #expect(sum(store, from: .distantPast, to: Date()) == "1250")
        #expect(sum(store, from: Date() - 3 * 365 * 86400, to: Date() + 10) == "1250")
    }

    @Test func `an interval after boot gives the steps between its readings`() throws {
        let (memory, test) = try rig()
        let start = Date() - 0.001
        let store = made(test) { HKHealthStore() }
        // The first reading is made by the store's initializer.
        #expect(eventually { sum(store, from: start, to: Date()) == "0" })
        memory.set(0, "in_steps_input", "1300")
        #expect(sum(store, from: start, to: Date()) == "66")
        #expect(sum(store, from: start - 7200, to: start - 3600) == "errorNoData")
    }

    @Test func `there is one sample at most, and none is not an error`() throws {
        let (_, test) = try rig()
        let store = made(test) { HKHealthStore() }
        for (time, expected) in [
            (nil as NSPredicate?, "1234"),
            (HKQuery.predicateForSamples(withStart: Date() - 60, end: Date() - 50), "none"),
        ] {
            let answers = Answers()
            store.execute(
                HKSampleQuery(
                    sampleType: HKQuantityType(.stepCount), predicate: time, limit: HKObjectQueryNoLimit,
                    sortDescriptors: nil
                ) { _, samples, error in
                    let steps = samples?.compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .count()) }
                    answers.note(steps.map { $0.isEmpty ? "none" : "\(Int($0[0]))" } ?? name(error))
                })
            #expect(eventually { answers.all == [expected] })
        }
    }

    /// Source: HealthKit, `HKObjectQueryNoLimit`.
    @Test func `no limit of a query is the phone's`() { #expect(HKObjectQueryNoLimit == 0) }

    @Test func `an invalid query is reported as such`() throws {
        let (_, test) = try rig()
        let store = made(test) { HKHealthStore() }
        #expect(sum(store, from: Date(), to: Date() - 10) == "errorInvalidArgument")
        #expect(sum(store, HKStatisticsOptions(rawValue: 2)) == "errorInvalidArgument")
        let answers = Answers()
        for (type, predicate) in [
            (HKQuantityType(.height), nil), (HKQuantityType(.stepCount), NSPredicate(value: true)),
        ] {
            store.execute(
                HKStatisticsQuery(quantityType: type, quantitySamplePredicate: predicate) { _, _, error in
                    answers.note(name(error))
                })
        }
        #expect(eventually { answers.all == ["errorInvalidArgument", "errorInvalidArgument"] })
    }

    @Test(
        arguments: [
            (nil, nil, nil, true, "errorHealthDataUnavailable"),
            ("5", "health: denied", nil, true, "errorAuthorizationDenied"),
            ("5", nil, "health: restricted", true, "errorHealthDataRestricted"),
            ("5", "health: not-determined", nil, true, "errorAuthorizationNotDetermined"),
            ("5", nil, nil, false, "errorDatabaseInaccessible"), ("many", nil, nil, true, "errorDatabaseInaccessible"),
        ] as [(String?, String?, String?, Bool, String)])
    func `missing steps are reported with their code`(
        steps: String?, grants: String?, policy: String?, isOn: Bool, code: String
    ) throws {
        let (memory, test) = try rig(steps, grants: grants, policy: policy, isOn: isOn)
        let store = made(test) { HKHealthStore() }
        #expect(made(test) { HKHealthStore.isHealthDataAvailable() } == (steps != nil))
        #expect(sum(store) == code)
        // A counter that is off is never switched on.
        #expect(memory.value(0, "in_steps_en") == (steps == nil ? "" : isOn ? "1" : "0"))
    }

    /// An app that requests data to read and to write.
    private func request(_ store: HKHealthStore) async -> String {
        let characteristics: Set<HKObjectType> = [
            HKCharacteristicType(.biologicalSex), HKCharacteristicType(.dateOfBirth),
        ]
        let quantities: Set<HKObjectType> = [HKQuantityType(.stepCount), HKQuantityType(.height)]
        do {
            try await store.requestAuthorization(toShare: [], read: characteristics.union(quantities))
            return "settled"
        } catch {
            return name(error)
        }
    }

    @Test(
        arguments: [
            ("health: not-determined", nil, FixedPrompter(.allow), "settled", "1234"),
            ("health: not-determined", nil, FixedPrompter(.deny), "settled", "errorAuthorizationDenied"),
            (
                "health: not-determined", nil, FixedPrompter(.once), "errorUserCanceled",
                "errorAuthorizationNotDetermined"
            ),
            ("health: denied", nil, FixedPrompter(.allow), "settled", "errorAuthorizationDenied"),
            (
                nil, "health: restricted", FixedPrompter(.allow), "errorHealthDataRestricted",
                "errorHealthDataRestricted"
            ),
            (nil, nil, FixedPrompter(.deny), "settled", "1234"),
        ] as [(String?, String?, FixedPrompter, String, String)])
    func `a request is settled by an answer, whichever it is`(
        grants: String?, policy: String?, answer: FixedPrompter, outcome: String, steps: String
    ) async throws {
        let (_, test) = try rig(grants: grants, policy: policy, answer: answer)
        let store = made(test) { HKHealthStore() }
        #expect(await request(store) == outcome)
        #expect(sum(store) == steps)
    }

    @Test func `a request without a purpose or a counter fails`() async throws {
        let (_, silent) = try rig(grants: "health: not-determined", configuration: nil)
        #expect(await request(made(silent) { HKHealthStore() }) == "errorAuthorizationNotDetermined")
        let (_, bare) = try rig(nil)
        #expect(await request(made(bare) { HKHealthStore() }) == "errorHealthDataUnavailable")
    }

    @Test func `the request status is reported, and writing is never granted`() async throws {
        let (_, test) = try rig(grants: "health: not-determined")
        let store = made(test) { HKHealthStore() }
        let steps = HKQuantityType(.stepCount)
        #expect(try await store.statusForAuthorizationRequest(toShare: [], read: [steps]) == .shouldRequest)
        #expect(try await store.statusForAuthorizationRequest(toShare: [steps], read: []) == .unnecessary)
        #expect(store.authorizationStatus(for: steps) == .notDetermined)
        let answers = Answers()
        store.requestAuthorization(toShare: [steps], read: [steps]) { isDone, error in
            answers.note("\(isDone) \(error == nil)")
        }
        #expect(await soon { answers.all == ["true true"] })
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
        #expect(try await store.statusForAuthorizationRequest(toShare: [], read: [steps]) == .unnecessary)
    }

    @Test func `types are distinguished by name, in both spellings`() throws {
        #expect(HKQuantityType(.stepCount) == HKObjectType.quantityType(forIdentifier: .stepCount))
        let old = try #require(HKQuantityType.quantityTypeForIdentifier(HKQuantityTypeIdentifierHeight))
        #expect(Set<HKQuantityType>([old, HKQuantityType(.height), HKQuantityType(.bodyMass)]).count == 2)
        let sex = try #require(
            HKCharacteristicType.characteristicTypeForIdentifier(HKCharacteristicTypeIdentifierBiologicalSex))
        #expect(sex == HKCharacteristicType(.biologicalSex) && sex != HKCharacteristicType(.dateOfBirth))
        #expect(HKQuantity(unit: .count(), doubleValue: 3).is(compatibleWith: .count()))
    }
}

import LocalRig
import Readiness
import Testing

/// The statuses of the rehearsed platform, and the effect of each on the three location requirements.
@Suite struct StatusTableTests {
    /// A row: status, accuracy, whether provisional; then location, precise, background.
    ///
    /// A cell is `met`, or the cause.
    typealias Row = (LocationStatus, LocationAccuracy, Bool, [String])

    static let rows: [Row] = [
        (.notDetermined, .fullAccuracy, false, ["notDetermined", "notDetermined", "notDetermined"]),
        (.notDetermined, .reducedAccuracy, false, ["notDetermined", "notDetermined", "notDetermined"]),
        (.restricted, .fullAccuracy, false, ["restricted", "restricted", "restricted"]),
        (.restricted, .reducedAccuracy, false, ["restricted", "restricted", "restricted"]),
        (.denied, .fullAccuracy, false, ["denied", "denied", "denied"]),
        (.denied, .reducedAccuracy, false, ["denied", "denied", "denied"]),
        (.authorizedWhenInUse, .fullAccuracy, false, ["met", "met", "foregroundOnly"]),
        (.authorizedWhenInUse, .reducedAccuracy, false, ["met", "reducedAccuracy", "foregroundOnly"]),
        (.authorizedAlways, .fullAccuracy, false, ["met", "met", "met"]),
        (.authorizedAlways, .reducedAccuracy, false, ["met", "reducedAccuracy", "met"]),
        (.authorizedAlways, .fullAccuracy, true, ["met", "met", "met"]),
        (.authorizedAlways, .reducedAccuracy, true, ["met", "reducedAccuracy", "met"]),
    ]

    @Test(arguments: rows)
    func `a status has the effect given in the table`(row: Row) {
        let (status, accuracy, isProvisional, expected) = row
        var authorizations = Sample.access(location: status)
        authorizations.accuracy.status = accuracy
        authorizations.provisional = isProvisional
        let receiver = Sensor(key: "r", kind: .locationReceiver, name: "receiver", driver: "gpsd")
        let inventory = Inventory(depth: .sample, sensors: [receiver])
        let assessment = Assessment(
            inventory,
            of: RigIdentity(host: "", kernel: "", boot: "", source: .live, user: "", uid: 1000, takenAt: ""),
            authorizations: authorizations, request: Assessment.Request(.all))
        let results = assessment.requirements.prefix(3)
        #expect(results.map(\.requirement) == [.location, .preciseLocation, .backgroundLocation])
        #expect(results.map { $0.status == .met ? "met" : $0.cause?.id ?? "none" } == expected)
        #expect(results.allSatisfy { $0.status == .met || $0.status == .unmet })
        #expect(assessment.notices.contains { $0.id == .provisional } == isProvisional)
    }

    @Test func `the table has every status and accuracy`() {
        let pairs = Set(Self.rows.map { "\($0.0) \($0.1)" })
        #expect(pairs.count == 5 * 2)
    }

    @Test func `raw values are those of the platform`() {
        let location: [LocationStatus] = [
            .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
        ]
        #expect(location.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(LocationStatus(rawValue: 5) == nil)
        #expect([LocationAccuracy.fullAccuracy, .reducedAccuracy].map(\.rawValue) == [0, 1])
        let others: [AuthorizationStatus] = [.notDetermined, .restricted, .denied, .allowed]
        #expect(others.map(\.rawValue) == [0, 1, 2, 3])
        let states: [AdapterReading.State] = [
            .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn,
        ]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }
}

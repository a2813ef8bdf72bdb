import LocalRig
import Readiness
import PhoneKit
import RigLocation
import PhoneSupport
import Testing

/// What a manager reports to its delegate, and when.
@Suite(.timeLimit(.minutes(10)))
struct ManagerTests {
    private let gpsd = ScriptedGPSD()

    private func rig(
        _ grants: String, policy: String? = nil, session: String? = nil, sessions: [String: String]? = nil,
        prompter: any Prompter = FixedPrompter(.allow)
    ) throws -> TestRig {
        try TestRig(
            grants: grants, policy: policy, session: session, sessions: sessions, world: gpsd,
            gpsd: ScriptedGPSD.endpoint, prompter: prompter)
    }

    @Test func `the delegate receives the authorization and each change`() throws {
        let test = try rig("location: not-determined\n")
        let (manager, diary) = test.manager()
        #expect(eventually { diary.statuses == [.notDetermined] })
        try test.write("location: when-in-use\n", to: "permissions.yaml")
        #expect(eventually { diary.statuses == [.notDetermined, .authorizedWhenInUse] })
        try test.write("location: {status: when-in-use, accuracy: reduced}\n", to: "permissions.yaml")
        #expect(eventually { diary.accuracies == [.fullAccuracy, .fullAccuracy, .reducedAccuracy] })
        try test.write("location: restricted\n", to: "policy.yaml")
        #expect(eventually { diary.statuses.last == .restricted })
        #expect(manager.authorizationStatus == .restricted && diary.locations.isEmpty && diary.errors.isEmpty)
        #expect(gpsd.connections == 0)
    }

    @Test func `a report is a location to the last digit`() throws {
        let test = try rig("location: always\n")
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix(latitude: 52.51234, longitude: -13.4, more: #","status":8"#)
        #expect(eventually { diary.locations.count == 1 })
        let location = try #require(diary.locations.first)
        #expect(location.coordinate.latitude == 52.51234 && location.coordinate.longitude == -13.4)
        #expect(location.altitude == 34.5 && location.ellipsoidalAltitude == 81.5)
        #expect(location.horizontalAccuracy == 4.5 && location.verticalAccuracy == 6)
        #expect(location.speed == 1.5 && location.speedAccuracy == 0.3)
        #expect(location.course == 90 && location.courseAccuracy == 2)
        #expect(location.timestamp == Date(timeIntervalSince1970: 1_795_260_123))
        #expect(location.sourceInformation?.isSimulatedBySoftware == true)
        #expect(manager.location?.coordinate.latitude == 52.51234)
        gpsd.say(#"{"class":"TPV","device":"/dev/gps","mode":2,"lat":1.5,"lon":2.5}"#)
        #expect(eventually { diary.locations.count == 2 })
        let flat = try #require(diary.locations.last)
        #expect(flat.horizontalAccuracy == kCLLocationAccuracyKilometer && flat.verticalAccuracy < 0)
        #expect(flat.speed < 0 && flat.course < 0 && abs(flat.timestamp.timeIntervalSinceNow) < 60)
        gpsd.say(#"{"class":"TPV","device":"/dev/gps","mode":3,"lat":91,"lon":2.5}"#)
        #expect(eventually { diary.codes == [.locationUnknown] })
        #expect(diary.locations.count == 2)
    }

    @Test func `a fix is lost and comes back`() throws {
        let test = try rig("location: always\n")
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 })
        gpsd.noFix()
        gpsd.noFix()
        #expect(eventually { diary.codes == [.locationUnknown] })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 2 })
        gpsd.set(down: true)
        #expect(eventually { diary.codes == [.locationUnknown, .locationUnknown] })
        gpsd.set(down: false)
        #expect(eventually { gpsd.connections == 2 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 3 })
        manager.stopUpdatingLocation()
        #expect(eventually { gpsd.listeners == 0 })
    }

    @Test func `a position that a check does not count is no location`() throws {
        let test = try rig("location: always\n")
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        func see(_ used: Int) { gpsd.say(#"{"class":"SKY","device":"/dev/gps","nSat":9,"uSat":\#(used)}"#) }
        see(0)
        gpsd.fix()
        #expect(eventually { diary.codes == [.locationUnknown] })
        let reason = "receiver /dev/gps: its 3D fix uses no satellite"
        #expect(diary.errors.last?.localizedDescription.contains(reason) == true && diary.locations.isEmpty)
        #expect(diary.errors.last?.recoverySuggestion?.isEmpty == false)
        see(5)
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 })
        // Its time stands still.
        let still = #"{"class":"TPV","device":"/dev/gps","mode":3,"time":1795260200,"lat":52.5,"lon":13.4}"#
        gpsd.say(still)
        #expect(eventually { diary.locations.count == 2 })
        gpsd.pass(seconds: 2)
        gpsd.say(still)
        #expect(eventually { diary.codes == [.locationUnknown, .locationUnknown] })
        #expect(diary.locations.count == 2)
    }

    @Test func `a denied manager fails once and continues when it is allowed`() throws {
        let test = try rig("location: denied\n")
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { diary.codes == [.denied] })
        #expect(gpsd.connections == 0)
        try test.write("location: always\n", to: "permissions.yaml")
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 })
        try test.write("location: denied\n", to: "permissions.yaml")
        #expect(eventually { diary.codes == [.denied, .denied] })
        #expect(eventually { gpsd.listeners == 0 })
        #expect(manager.location == nil)
    }

    @Test func `a start before a decision asks once, and continues`() throws {
        let person = Person(.allow)
        let test = try rig("location: not-determined\n", prompter: person)
        let (manager, diary) = test.manager()
        #expect(eventually { diary.statuses == [.notDetermined] })
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 })
        #expect(diary.errors.isEmpty && diary.statuses == [.notDetermined, .authorizedWhenInUse])
        #expect(person.asked == [.locationWhenInUse])
    }

    @Test func `from the background a start asks nobody`() throws {
        let person = Person(.allow)
        let test = try rig(
            "location: not-determined\n", session: "3", sessions: ["3": "ACTIVE=0\n"], prompter: person)
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { diary.statuses == [.notDetermined] })
        #expect(person.asked.isEmpty && diary.errors.isEmpty)
        try test.write("ACTIVE=1\n", to: "sessions/3")
        #expect(eventually { gpsd.connections == 1 })
        #expect(person.asked == [.locationWhenInUse])
    }

    @Test func `errors carry what fixes their cause`() throws {
        let test = try rig("location: denied\n")
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { diary.codes == [.denied] })
        let remedy = (diary.errors.first! as NSError).localizedRecoverySuggestion
        #expect(remedy != nil && remedy == test.state.authorizations.location.remedies.words)
        try test.write("location: always\n", to: "permissions.yaml")
        #expect(eventually { gpsd.connections == 1 })
        gpsd.noFix()
        gpsd.noFix()
        #expect(eventually { diary.codes == [.denied, .locationUnknown] })
        #expect(diary.errors.last?.recoverySuggestion?.contains("view of the sky") == true)
        manager.startUpdatingHeading()
        manager.startMonitoringVisits()
        #expect(eventually { diary.codes.count == 4 })
        #expect(diary.errors.allSatisfy { ($0 as NSError).localizedRecoverySuggestion?.isEmpty == false })
    }

    @Test func `significant changes and visits are unavailable, never denied`() throws {
        for grant in ["always", "denied"] {
            let test = try rig("location: \(grant)\n")
            let (manager, diary) = test.manager()
            #expect(!CLLocationManager.significantLocationChangeMonitoringAvailable())
            manager.startMonitoringSignificantLocationChanges()
            manager.startMonitoringVisits()
            #expect(eventually { diary.codes == [.locationUnknown, .locationUnknown] })
            #expect(diary.errors.allSatisfy { $0.localizedDescription.contains("unavailable on Linux") })
            manager.stopMonitoringVisits()
            manager.stopMonitoringSignificantLocationChanges()
        }
    }

    @Test func `while in use stops in the background and Always does not`() throws {
        let test = try rig("location: when-in-use\n", session: "3", sessions: ["3": "ACTIVE=1\n"])
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 })
        try test.write("ACTIVE=0\n", to: "sessions/3")
        #expect(eventually { gpsd.listeners == 0 })
        #expect(manager.location == nil)
        try test.write("location: always\n", to: "permissions.yaml")
        #expect(eventually { gpsd.listeners == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 2 })
        #expect(diary.errors.isEmpty)
    }

    @Test func `a provisional Always is confirmed once it was used in the background`() throws {
        let test = try rig(
            "location: not-determined\n", session: "3", sessions: ["3": "ACTIVE=1\n"], prompter: Person(.allow, .deny))
        let (manager, diary) = test.manager()
        manager.requestAlwaysAuthorization()
        #expect(eventually { diary.statuses.last == .authorizedAlways })
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 })
        #expect(manager.authorizationStatus == .authorizedAlways)
        try test.write("ACTIVE=0\n", to: "sessions/3")
        #expect(eventually { !test.state.isInForeground })
        gpsd.fix()
        #expect(eventually { diary.statuses.last == .authorizedWhenInUse })
        #expect(eventually { gpsd.listeners == 0 })
    }

    @Test func `one location is requested and no more are reported`() throws {
        let test = try rig("location: always\n")
        let (manager, diary) = test.manager()
        manager.requestLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 1 && gpsd.listeners == 0 })
        try test.write("location: not-determined\n", to: "permissions.yaml")
        #expect(eventually { diary.statuses.last == .notDetermined })
        // It asks, and the answer is a permission.
        manager.requestLocation()
        #expect(eventually { gpsd.connections == 2 })
        gpsd.fix()
        #expect(eventually { diary.locations.count == 2 })
        #expect(diary.errors.isEmpty)
    }

    @Test func `one location is denied if nobody can be asked for it`() throws {
        let test = try rig("location: not-determined\n", prompter: Nobody())
        let (manager, diary) = test.manager()
        manager.requestLocation()
        #expect(eventually { diary.codes == [.denied] })
        #expect(diary.errors.first?.localizedDescription.contains("nobody answered") == true)
    }

    @Test func `a distance filter passes distant or better positions`() throws {
        let test = try rig("location: always\n")
        let (manager, diary) = test.manager()
        manager.distanceFilter = 1000
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        for latitude in [52.5, 52.501, 52.502, 52.52] { gpsd.fix(latitude: latitude) }
        #expect(eventually { diary.locations.map(\.coordinate.latitude) == [52.5, 52.52] })
        gpsd.say(#"{"class":"TPV","mode":2,"lat":52.52,"lon":13.4,"eph":1.0}"#)
        #expect(eventually { diary.locations.last?.horizontalAccuracy == 1 })
    }

    @Test func `regions and beacons fail with the reason`() throws {
        let test = try rig("location: always\n")
        let (manager, diary) = test.manager()
        let home = CLCircularRegion(
            center: CLLocationCoordinate2DMake(52.5, 13.4), radius: 200, identifier: "home")
        #expect(home.contains(CLLocationCoordinate2D(latitude: 52.501, longitude: 13.4)))
        #expect(!home.contains(CLLocationCoordinate2D(latitude: 52.502, longitude: 13.4)))
        #expect(!CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
        #expect(!CLLocationManager.isRangingAvailable() && manager.monitoredRegions.isEmpty)
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        #expect(eventually { diary.regions == ["home: 5", "home: unknown", "beacons: 16"] })
        manager.startUpdatingHeading()
        #expect(eventually { diary.codes == [.headingFailure] })
        #expect(diary.errors.first?.localizedDescription.contains("no compass") == true)
        try test.write("location: {status: always, accuracy: reduced}\n", to: "permissions.yaml")
        #expect(eventually { manager.accuracyAuthorization == .reducedAccuracy })
        manager.startMonitoring(for: home)
        #expect(eventually { diary.regions.last == "home: 4" })
    }

    @Test func `full accuracy that cannot be requested is an error`() async throws {
        let test = try rig("location: always\n")
        let (manager, _) = test.manager()
        await #expect(throws: CLError.self) {
            try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "directions")
        }
        let reduced = try rig("location: {status: always, accuracy: reduced}\n", prompter: Person(.deny))
        let (second, _) = reduced.manager()
        do {
            try await second.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "elsewhere")
            Issue.record("a purpose that is not in the configuration was taken")
        } catch CLError.promptDeclined {
            #expect(reduced.complaints.contains { $0.contains("preciseLocation.elsewhere") })
        }
        // A user who was asked and refused has answered: the error is nil, and the accuracy unchanged.
        try await second.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "directions")
        #expect(second.accuracyAuthorization == .reducedAccuracy)
    }
}

import RigLocation
import PhoneSupport
import Testing

/// Positions at reduced accuracy.
@Suite(.timeLimit(.minutes(10)))
struct ReducedTests {
    private let gpsd = ScriptedGPSD()

    @Test func `a coarse cell is reported four times an hour`() throws {
        let test = try TestRig(
            grants: "location: {status: always, accuracy: reduced}\n", world: gpsd, gpsd: ScriptedGPSD.endpoint)
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix(latitude: 52.5312, longitude: 13.4499)
        #expect(eventually { diary.locations.count == 1 })
        let first = try #require(diary.locations.first)
        #expect(first.coordinate.latitude == 52.5 && first.coordinate.longitude == 13.4)
        #expect(first.verticalAccuracy < 0 && first.speed < 0 && first.course < 0 && first.altitude == 0)
        #expect(first.horizontalAccuracy > 5000)
        let truth = CLLocation(latitude: 52.5312, longitude: 13.4499)
        #expect(truth.distance(from: first) <= first.horizontalAccuracy)
        #expect(manager.location?.coordinate.latitude == 52.5)
        // For a quarter of an hour nothing more is reported; the loss shows that everything before it was received.
        for _ in 0..<5 { gpsd.fix(latitude: 52.7, longitude: 13.7) }
        gpsd.noFix()
        #expect(eventually { diary.codes == [.locationUnknown] })
        #expect(diary.locations.count == 1)
        gpsd.pass(seconds: 901)
        gpsd.fix(latitude: 52.81, longitude: 13.79)
        #expect(eventually { diary.locations.last?.coordinate.latitude == 52.8 })
        #expect(diary.locations.count == 2 && diary.locations.allSatisfy { $0.horizontalAccuracy > 5000 })
    }

    @Test func `reduced by default, what is allowed is coarse`() async throws {
        let configuration = TestRig.purposes + "\nNSLocationDefaultAccuracyReduced: true\n"
        let test = try TestRig(
            grants: "location: not-determined\n", configuration: configuration, world: gpsd,
            gpsd: ScriptedGPSD.endpoint)
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(await soon { diary.statuses.last == .authorizedWhenInUse })
        #expect(manager.accuracyAuthorization == .reducedAccuracy)
        #expect(test.text(of: "permissions.yaml").contains("accuracy: reduced"))
        // Nobody has decided anything, so that access alone allows it.
        let open = try TestRig(configuration: configuration)
        let (second, _) = open.manager()
        #expect(second.authorizationStatus == .authorizedAlways && second.accuracyAuthorization == .reducedAccuracy)
        try await second.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "directions")
        #expect(second.accuracyAuthorization == .fullAccuracy && second.authorizationStatus == .authorizedAlways)
    }

    @Test func `a later subscriber receives the same coarse cell`() throws {
        let test = try TestRig(
            grants: "location: {status: always, accuracy: reduced}\n", world: gpsd, gpsd: ScriptedGPSD.endpoint)
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix(latitude: 52.5, longitude: 13.4)
        #expect(eventually { diary.locations.count == 1 })
        let (second, late) = test.manager()
        second.startUpdatingLocation()
        #expect(eventually { late.locations.count == 1 })
        #expect(late.locations.first === diary.locations.first)
        // The loss shows that the position before it was received at reduced accuracy.
        gpsd.fix(latitude: 52.7, longitude: 13.4)
        gpsd.noFix()
        #expect(eventually { diary.codes == [.locationUnknown] && late.codes == [.locationUnknown] })
        try test.write("location: always\n", to: "permissions.yaml")
        #expect(eventually { diary.accuracies.last == .fullAccuracy })
        gpsd.fix(latitude: 52.7123, longitude: 13.4)
        #expect(eventually { late.locations.last?.coordinate.latitude == 52.7123 })
        #expect(late.locations.count == 2)
    }

    @Test func `an app may request only coarse positions`() throws {
        let test = try TestRig(grants: "location: always\n", world: gpsd, gpsd: ScriptedGPSD.endpoint)
        let (coarse, coarseDiary) = test.manager()
        let (exact, exactDiary) = test.manager()
        coarse.desiredAccuracy = kCLLocationAccuracyReduced
        coarse.startUpdatingLocation()
        exact.startUpdatingLocation()
        #expect(eventually { gpsd.connections == 1 && exactDiary.statuses == [.authorizedAlways] })
        for _ in 0..<3 { gpsd.fix(latitude: 52.5312) }
        #expect(eventually { exactDiary.locations.count == 3 })
        #expect(exactDiary.locations.allSatisfy { $0.coordinate.latitude == 52.5312 })
        #expect(coarseDiary.locations.map(\.coordinate.latitude) == [52.5])
    }
}

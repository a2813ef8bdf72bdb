import RigLocation
import PhoneSupport
import Testing

// Phone code, with only the import changed.

/// Requests Always, with the delegate calls from before iOS 14.
private class Guide: NSObject, @unchecked Sendable {
    let locationManager = CLLocationManager()
    let lock = NSLock()
    var told: [CLAuthorizationStatus] = []

    func askForEverything() {
        locationManager.delegate = self
        locationManager.requestAlwaysAuthorization()
    }

    var statuses: [CLAuthorizationStatus] { lock.withLock { told } }
}

extension Guide: CLLocationManagerDelegate {
    /// Records its calls.
    public func locationManager(_: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
        lock.withLock { told.append(status) }
    }
}

/// Continues if the authorization allows it.
private class Tracker: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    let manager = CLLocationManager()
    let lock = NSLock()
    var steps: [String] = []
    var notes: [String] { lock.withLock { steps } }
    private func note(_ text: String) { lock.withLock { steps.append(text) } }

    func begin() {
        manager.delegate = self
        switch manager.authorizationStatus {
        case .notDetermined:
            manager.requestWhenInUseAuthorization()
        case .authorizedWhenInUse:
            manager.requestAlwaysAuthorization()
        case .authorizedAlways, .denied, .restricted:
            break
        @unknown default:
            break
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .authorizedWhenInUse, .authorizedAlways: manager.startUpdatingLocation()
        case .denied, .restricted: note("off")
        case .notDetermined: note("waiting")
        @unknown default: break
        }
        switch manager.accuracyAuthorization {
        case .fullAccuracy: note("exact")
        case .reducedAccuracy: note("coarse")
        @unknown default: break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        if let last = locations.last { note("at \(last.coordinate.latitude)") }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        if let error = error as? CLError, error.code == .denied { note("denied") }
    }
}

/// The first live update, in a word.
private func firstWord() async throws -> String {
    let stream = CLLocationUpdate.liveUpdates()
    for try await update in stream {
        if update.authorizationDenied {
            return "denied"
        } else if update.authorizationRequestInProgress {
            return "asking"
        } else if let location = update.location {
            return "at \(location.coordinate.longitude)"
        }
    }
    return "over"
}

/// Typical phone code, on a rig.
@Suite(.timeLimit(.minutes(10)))
struct SampleTests {
    @Test func `Always is requested and reported`() throws {
        let test = try TestRig(grants: "location: not-determined\n")
        let guide = test.run { Guide() }
        guide.askForEverything()
        #expect(eventually { guide.statuses.last == .authorizedAlways })
        #expect(test.text(of: "permissions.yaml").contains("provisional"))
    }

    @Test func `a tracker goes from undecided to a position`() throws {
        let gpsd = ScriptedGPSD()
        let test = try TestRig(
            grants: "location: not-determined\n", world: gpsd, gpsd: ScriptedGPSD.endpoint)
        let tracker = test.run { Tracker() }
        tracker.begin()
        #expect(eventually { gpsd.connections == 1 })
        gpsd.fix()
        #expect(eventually { tracker.notes.last == "at 52.5" })
        try test.write("location: denied\n", to: "permissions.yaml")
        #expect(eventually { tracker.notes.contains("off") && tracker.notes.contains("denied") })
    }

    @Test func `live updates are read in a loop`() async throws {
        let test = try TestRig(grants: "location: not-determined\n")
        let word = try await LiveRigScope(test).run { try await firstWord() }
        #expect(word == "asking")
        let denied = try TestRig(grants: "location: denied\n")
        #expect(try await LiveRigScope(denied).run { try await firstWord() } == "denied")
    }

    @Test func `a session is held and ended`() async throws {
        let test = try TestRig(grants: "location: {status: when-in-use, accuracy: reduced}\n")
        let session = test.run {
            CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "directions")
        }
        for try await diagnostic in session.diagnostics {
            if diagnostic.isClear { session.invalidate() }
        }
        let (manager, _) = test.manager()
        #expect(manager.authorizationStatus == .authorizedAlways && manager.accuracyAuthorization == .fullAccuracy)
    }

    @Test func `a widget is eligible where the program is`() throws {
        for (grant, expected) in [
            ("always", true), ("when-in-use", true), ("denied", false), ("not-determined", false),
        ] {
            let test = try TestRig(grants: "location: \(grant)\n")
            #expect(test.run { CLLocationManager() }.isAuthorizedForWidgetUpdates == expected)
        }
    }

    @Test func `temporary full accuracy is answered in a closure`() async throws {
        let test = try TestRig(grants: "location: {status: when-in-use, accuracy: reduced}\n")
        let (manager, _) = test.manager()
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "directions") { error in
                continuation.resume(returning: error)
            }
        }
        #expect(error == nil)
        #expect(manager.accuracyAuthorization == .fullAccuracy)
    }
}

// The permission and sensor logic of a phone app, on a rig: only the imports differ.
#if canImport(CoreLocation)
    import CoreBluetooth
    import CoreLocation
#else
    import RigBluetooth
    import RigLocation
#endif
#if canImport(CoreMotion)
    import CoreMotion
#elseif canImport(RigMotion)
    import RigMotion
#endif

func line(_ words: String...) {
    FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
}

final class Permissions: NSObject, CLLocationManagerDelegate {
    let manager = CLLocationManager()

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let accuracy = manager.accuracyAuthorization == .fullAccuracy ? "full" : "reduced"
        switch manager.authorizationStatus {
        case .notDetermined: line("authorization", "undecided")
        case .restricted: line("authorization", "restricted")
        case .denied: line("authorization", "denied")
        case .authorizedAlways: line("authorization", "always", accuracy)
        case .authorizedWhenInUse: line("authorization", "in use", accuracy)
        @unknown default: break
        }
    }
}

final class Radio: NSObject, CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let names = ["unknown", "resetting", "unsupported", "unauthorized", "powered off", "powered on"]
        line("bluetooth", names[central.state.rawValue])
    }
}

func follow() async throws {
    for try await update in CLLocationUpdate.liveUpdates() {
        if let location = update.location {
            let place = location.coordinate
            let mark = update.accuracyLimited ? "coarse" : "exact"
            line("update \(mark) \(place.latitude) \(place.longitude) ± \(location.horizontalAccuracy) m")
        } else if update.authorizationRequestInProgress {
            line("update", "asking")
        } else if update.authorizationDenied {
            line("update", "denied")
        } else if update.authorizationRestricted {
            line("update", "restricted")
        } else if update.insufficientlyInUse {
            line("update", "not in use")
        } else if update.locationUnavailable {
            line("update", "unavailable")
        }
    }
}

let permissions = Permissions()
permissions.manager.delegate = permissions
let radio = Radio()
let central = CBCentralManager(delegate: radio, queue: nil)
Task { try await follow() }
#if canImport(CoreMotion) || canImport(RigMotion)
    let motion = CMMotionManager()
    motion.accelerometerUpdateInterval = 1.0 / 50
    motion.startAccelerometerUpdates(to: .main) { data, error in
        if let data { line("accelerometer \(data.timestamp) \(data.acceleration.z) g") }
        if let error { line("accelerometer", error.localizedDescription) }
    }
#endif
RunLoop.main.run()

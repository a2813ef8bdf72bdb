import Readiness

/// The document `rigready.report/1`: what a check found, in the names and order of the contract.
struct Report: Encodable {
    // swift-format-ignore: UseSynthesizedInitializer
    /// A value whose key is written even where it is null.
    @propertyWrapper
    struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
        var wrappedValue: Value?

        // Without it the memberwise initializers would take the wrapper instead of the value.
        init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
        }
    }

    struct Rig: Encodable {
        struct User: Encodable {
            var name: String
            var uid: UInt32
        }
        var host: String
        var kernel: String
        var boot: String
        var source: String
        var user: User
    }

    struct DriverLine: Encodable {
        var name: String
        var state: String
        @Nullable var detail: String?
        var elapsedMilliseconds: Double
    }

    struct RequirementLine: Encodable {
        var id: String
        var standing: String
        @Nullable var cause: String?
        var causes: [String]
        @Nullable var rootCause: String?
        var decidedBy: [String]
        @Nullable var detail: String?
        @Nullable var remedy: String?
        var evidence: [EvidenceLine]
    }

    struct EvidenceLine: Encodable {
        @Nullable var sensor: String?
        @Nullable var path: String?
        @Nullable var errno: String?
        var said: String
    }

    struct ServiceLine: Encodable {
        var id: String
        var asked: Bool
        var verdict: String
        var required: [String]
        var optional: [String]
        var failures: [String]
        var warnings: [String]
        var unknown: [String]
        var unchecked: [String]
        @Nullable var blockedBy: String?
    }

    struct NoticeLine: Encodable {
        var id: String
        @Nullable var sensor: String?
        var detail: String
    }

    var schema = "rigready.report/1"
    var version: String
    var takenAt: String
    var rig: Rig
    var depth: String
    var rules: String
    var wholeSession: Bool
    @Nullable var resample: Double?
    var drivers: [DriverLine]
    var sensors: [SensorLine]
    var authorizations: AuthorizationLines
    var requirements: [RequirementLine]
    var services: [ServiceLine]
    var notices: [NoticeLine]
    var exitStatus: Int32
}

/// The document `rigready.sensors/1`.
struct SensorsReport: Encodable {
    var schema = "rigready.sensors/1"
    var sensors: [SensorLine]
}

/// The document `rigready.services/1`.
struct ServicesReport: Encodable {
    struct Line: Encodable {
        var id: String
        @Report.Nullable var parent: String?
        var required: [String]
        var optional: [String]
    }
    var schema = "rigready.services/1"
    var rules: String
    var services: [Line]
}

/// The effective authorizations.
struct AuthorizationLines: Encodable {
    struct Location: Encodable {
        var status: String
        var accuracy: String
        var provisional: Bool
        var from: String
        var evidence: String
    }
    struct Plain: Encodable {
        var status: String
        var from: String
        var evidence: String
    }
    struct Bluetooth: Encodable {
        var status: String
        var state: String
        var from: String
        var evidence: String
    }

    var location: Location
    var motion: Plain
    var bluetooth: Bluetooth
    var health: Plain

    init(_ authorizations: Authorizations, bluetoothState: AdapterReading.State) {
        location = Location(
            status: authorizations.location.status.id, accuracy: authorizations.accuracy.status.id,
            provisional: authorizations.provisional, from: authorizations.locationSource.rawValue,
            evidence: authorizations.locationEvidence)
        motion = Plain(authorizations.motion)
        bluetooth = Bluetooth(
            status: authorizations.bluetooth.status.id(allowed: "allowedAlways"), state: bluetoothState.id,
            from: authorizations.bluetooth.from.rawValue, evidence: authorizations.bluetooth.evidence)
        health = Plain(authorizations.health)
    }
}

extension AuthorizationLines.Plain {
    init(_ authorization: Authorization<AuthorizationStatus>) {
        status = authorization.status.id(allowed: "authorized")
        from = authorization.from.rawValue
        evidence = authorization.evidence
    }
}

extension AuthorizationStatus {
    /// The status word; each framework has its own for "allowed".
    func id(allowed: String) -> String { self == .allowed ? allowed : String(describing: self) }
}

extension Authorizations {
    /// What decided about location: its accuracy's source where that alone was narrowed.
    var locationSource: AuthorizationSource {
        location.status == .authorizedAlways && accuracy.status == .reducedAccuracy ? accuracy.from : location.from
    }

    /// What location and its accuracy rest on.
    var locationEvidence: String {
        accuracy.status == .reducedAccuracy && accuracy.evidence != location.evidence
            ? "\(location.evidence); \(accuracy.evidence)" : location.evidence
    }
}

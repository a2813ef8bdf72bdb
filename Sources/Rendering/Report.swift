public import Readiness

/// The document `rigready.report/1`: an assessment in the names and order of the contract.
///
/// A program decodes with it what `rigready --format json` printed; keys that a later version adds are ignored.
public struct Report: Codable, Sendable {
    /// The name of this document and its version.
    public static let schema = "rigready.report/1"

    /// The machine and the user.
    public struct Rig: Codable, Sendable {
        /// The user whose access was evaluated.
        public struct User: Codable, Sendable {
            /// The user's name.
            public var name: String
            /// The user's numeric identifier.
            public var uid: UInt32
        }
        /// The host name.
        public var host: String
        /// The kernel release.
        public var kernel: String
        /// The identifier of the boot.
        public var boot: String
        /// `live` or `recording`.
        public var source: String
        /// The user whose access was evaluated.
        public var user: User
        /// The unit, process or container whose access was evaluated; nil for a user.
        public var subject: String?

        init(_ rig: RigIdentity) {
            (host, kernel, boot, source) = (rig.host, rig.kernel, rig.boot, rig.source.rawValue)
            user = User(name: rig.user, uid: rig.uid)
            subject = rig.subject
        }
    }

    /// The outcome of one driver.
    public struct DriverLine: Codable, Sendable {
        /// The driver's name.
        public var name: String
        /// `ok`, `failed`, `timedOut` or `unavailable`.
        public var state: String
        /// The reason if the state is not `ok`.
        @Nullable public var detail: String?
        /// The duration in milliseconds.
        public var elapsedMilliseconds: Double
    }

    /// One requirement.
    public struct RequirementLine: Codable, Sendable {
        /// The name, such as `gyroscope`.
        public var id: String
        /// `met`, `unmet`, `unknown` or `unchecked`.
        public var standing: String
        /// The decisive cause.
        @Nullable public var cause: String?
        /// Every cause, the decisive one first.
        public var causes: [String]
        /// The requirement whose cause this one repeats.
        @Nullable public var rootCause: String?
        /// The keys of the sensors that determined the status.
        public var decidedBy: [String]
        /// The cause in one clause.
        @Nullable public var detail: String?
        /// What fixes it, on one line.
        @Nullable public var remedy: String?
        /// What fixes it, one by one.
        public var remedies: [RemedyLine]
        /// What was observed.
        public var evidence: [EvidenceLine]
    }

    /// One cause with what follows from it.
    public struct RootCauseLine: Codable, Sendable {
        /// The identifier, unique in a report and the same at each probe.
        public var id: String
        /// The cause.
        public var cause: String
        /// The cause in a few words.
        public var title: String
        /// The cause in one clause.
        @Nullable public var detail: String?
        /// The keys of the sensors that it concerns.
        public var sensors: [String]
        /// The requirements that it leaves unmet or unknown.
        public var requirements: [String]
        /// The services whose verdict improves if it and those before it are repaired.
        public var unlocks: [String]
        /// The earlier cause whose repair makes this one's unnecessary.
        @Nullable public var alternativeTo: String?
        /// What fixes it.
        public var remedies: [RemedyLine]
    }

    /// A finding that the configuration accepts.
    public struct AcceptedLine: Codable, Sendable {
        /// The requirement, or the requirement and its cause, such as `gyroscope.absent`.
        public var id: String
        /// Why it is accepted.
        public var reason: String
        /// The last day, such as `2026-12-31`.
        public var until: String
        /// `applies`, `expired` or `unused`.
        public var state: String
        /// The requirements concerned.
        public var requirements: [String]
    }

    /// The state of the SDK's session that was set up and started with what is asked.
    public struct SessionLine: Codable, Sendable {
        /// `running`; under rules 1.x also `error`, or `uninitialized` if the licence lacks a service.
        public var state: String
        /// The reason that SDK 1.x gives: that of the error, or `configMismatch`.
        @Nullable public var reason: String?
        /// The summary of the error: `permissionMissing`; null without an error, or for sensors alone.
        @Nullable public var error: String?
        /// The requirements that put the session into the error.
        public var missing: [String]
        /// When automatic detection works: `full`, `foregroundOnly` or `off`.
        public var reach: String
        /// The services that do not run.
        public var failures: [SessionProblem]
        /// The services that run without something optional.
        public var warnings: [SessionProblem]
    }

    /// A service's failure or warning, in the SDK's names.
    public struct SessionProblem: Codable, Sendable {
        /// The service.
        public var service: String
        /// `missingPermission` or `unauthorized`.
        public var reason: String
        /// What is missing, such as `motionActivity`; `bluetoothScan` is the permission, `bluetooth` the power.
        public var permissions: [String]
    }

    /// Something that was seen.
    public struct EvidenceLine: Codable, Sendable {
        /// The key of the sensor.
        @Nullable public var sensor: String?
        /// The path.
        @Nullable public var path: String?
        /// The name of the error number.
        @Nullable public var errno: String?
        /// What was read, or the peer's own message.
        public var said: String
    }

    /// One service.
    public struct ServiceLine: Codable, Sendable {
        /// The name, such as `driving.distractionFreeDriving`.
        public var id: String
        /// Whether it was requested; a parent may be listed only for its child.
        public var asked: Bool
        /// `runs`, `degraded`, `fails`, `blocked`, `unauthorized` or `undetermined`.
        public var verdict: String
        /// The requirements.
        public var required: [String]
        /// The optional requirements.
        public var optional: [String]
        /// The unmet requirements.
        public var failures: [String]
        /// The unmet optional requirements.
        public var warnings: [String]
        /// The unknown ones of both.
        public var unknown: [String]
        /// The unchecked ones of both.
        public var unchecked: [String]
        /// The parent that blocks it, or `session`.
        @Nullable public var blockedBy: String?
    }

    /// A remark on the rig that changes no verdict.
    public struct NoticeLine: Codable, Sendable {
        /// The kind of notice.
        public var id: String
        /// The key of the sensor it concerns.
        @Nullable public var sensor: String?
        /// The notice in one sentence.
        public var detail: String

        /// Creates a notice.
        package init(id: String, sensor: String?, detail: String) {
            self.id = id
            self.sensor = sensor
            self.detail = detail
        }
    }

    /// The schema's name.
    public var schema = Self.schema
    /// The version of rigready.
    public var version: String
    /// The start of the probe, UTC.
    public var takenAt: String
    /// The machine and the user.
    public var rig: Rig
    /// The depth of the probe.
    public var depth: String
    /// The profile of the requirement table.
    public var rules: String
    /// Whether one failing service stops every other.
    public var wholeSession: Bool
    /// Seconds between the samples of a watch.
    @Nullable public var resample: Double?
    /// The drivers.
    public var drivers: [DriverLine]
    /// The sensors.
    public var sensors: [SensorLine]
    /// The effective authorizations.
    public var authorizations: AuthorizationLines
    /// The requirements.
    public var requirements: [RequirementLine]
    /// What stops services, in the order in which to repair it.
    public var rootCauses: [RootCauseLine]
    /// The findings that the configuration accepts, with what each means here.
    public var accepted: [AcceptedLine]
    /// The services that count apart in the status, since they have no other findings than accepted ones.
    public var acceptedServices: [String]
    /// The state of the SDK's session.
    public var session: SessionLine
    /// The services.
    public var services: [ServiceLine]
    /// The notices.
    public var notices: [NoticeLine]
    /// The exit status of the command.
    public var exitStatus: Int32
}

extension Report {
    /// Creates the report of an assessment.
    public init(_ assessment: Assessment) {
        let rig = assessment.rig
        version = Release.version
        takenAt = rig.takenAt
        self.rig = Rig(rig)
        depth = assessment.inventory.depth.rawValue
        rules = assessment.request.evaluator.rules.profile.description
        wholeSession = assessment.request.evaluator.wholeSession
        drivers = assessment.inventory.drivers.map { driver in
            DriverLine(
                name: driver.name, state: driver.state.rawValue, detail: driver.detail,
                elapsedMilliseconds: (driver.elapsedMilliseconds * 1000).rounded() / 1000)
        }
        sensors = assessment.sensors.map(SensorLine.init)
        authorizations = AuthorizationLines(assessment.authorizations, bluetooth: assessment.bluetoothState)
        requirements = assessment.requirements.map { result in
            RequirementLine(
                id: result.id, standing: result.status.rawValue, cause: result.cause?.id,
                causes: result.causes.map(\.id), rootCause: result.rootCause?.id, decidedBy: result.decidedBy,
                detail: result.detail, remedy: result.remedies.commandLine,
                remedies: result.remedies.map(RemedyLine.init),
                evidence: result.evidence.map {
                    EvidenceLine(sensor: $0.sensor, path: $0.path, errno: $0.errno, said: $0.said)
                })
        }
        rootCauses = assessment.rootCauses.map { root in
            RootCauseLine(
                id: root.id, cause: root.cause.id, title: root.title, detail: root.detail, sensors: root.sensors,
                requirements: root.requirements.map(\.id), unlocks: root.unlocks.map(\.id),
                alternativeTo: root.alternativeTo, remedies: root.remedies.map(RemedyLine.init))
        }
        accepted = assessment.accepted.map { accepted in
            let finding = accepted.finding
            return AcceptedLine(
                id: finding.id, reason: finding.reason, until: finding.until.description,
                state: accepted.state.rawValue, requirements: accepted.requirements.members.map(\.id))
        }
        acceptedServices = assessment.acceptedServices.members.map(\.id)
        session = SessionLine(assessment)
        services = assessment.services.map { result in
            ServiceLine(
                id: result.id, asked: result.asked, verdict: result.verdict.id,
                required: result.required.members.map(\.id), optional: result.optional.members.map(\.id),
                failures: result.failures.members.map(\.id), warnings: result.warnings.members.map(\.id),
                unknown: result.unknown.members.map(\.id), unchecked: result.unchecked.members.map(\.id),
                blockedBy: result.blockedBy?.id)
        }
        notices = assessment.notices.map { NoticeLine(id: $0.id.rawValue, sensor: $0.sensor, detail: $0.detail) }
        exitStatus = assessment.exitStatus
        if case .every(let seconds) = assessment.resampling { resample = seconds }
    }
}

/// `rigready.report/1` with keys that only some readers know.
package struct ExtendedReport<Value: Encodable>: Encodable {
    private let report: Report
    private let added: [String: Value]

    package init(_ report: Report, with added: [String: Value]) { (self.report, self.added) = (report, added) }

    package func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        try added.encode(to: encoder)
    }
}

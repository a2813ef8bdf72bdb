public import Rendering

/// The document `rigready.fleet/1`: every rig that publishes to a broker.
///
/// What a rig is known to do is told only if it counts: it is online, was seen lately and answers. Otherwise its verdicts are
/// `undetermined`, and a notice says why.
public struct FleetDocument: Codable, Sendable {
    /// The name of this document and its version.
    public static let schema = "rigready.fleet/1"

    /// One rig.
    public struct RigLine: Codable, Sendable {
        /// Its name in the topics.
        public var name: String
        /// Whether it is online, was seen lately and answers; null if that cannot be told, as with a clock that is off.
        @Nullable public var online: Bool?
        /// When it said last that it lives, by its own clock: UTC, ISO 8601.
        @Nullable public var seen: String?
        /// How long ago that was, by this machine's clock.
        @Nullable public var ageSeconds: Double?
        /// Its services, in table order.
        public var services: [VerdictLine]
        /// What stops services, in the order in which to repair it.
        public var rootCauses: [Report.RootCauseLine]
        /// Remarks: the rig's own, and what is told of it here.
        public var notices: [Report.NoticeLine]
    }

    /// One service of a rig.
    public struct VerdictLine: Codable, Sendable {
        /// The name, such as `driving.distractionFreeDriving`.
        public var id: String
        /// `runs`, `degraded`, `fails`, `blocked`, `unauthorized` or `undetermined`.
        public var verdict: String
    }

    /// The schema's name.
    public var schema = Self.schema
    /// When it was read, UTC.
    public var takenAt: String
    /// The broker that answered; null if none did.
    @Nullable public var broker: String?
    /// The rigs, by name.
    public var rigs: [RigLine]
    /// The exit status of the command.
    public var exitStatus: Int32
}

/// The machine of an assessment, the user whose access it evaluates, and the time of the probe.
public struct RigIdentity: Sendable, Equatable {
    /// Where the inventory comes from.
    public enum Source: String, CaseIterable, Sendable, Hashable, Codable {
        case live, recording
    }

    /// The host name.
    public var host: String
    /// The kernel release, such as `6.1.0-56-amd64`.
    public var kernel: String
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    public var boot: String
    /// Where the inventory comes from.
    public var source: Source
    /// The name of the user whose access is evaluated.
    public var user: String
    /// The user's numeric identifier.
    public var uid: UInt32
    /// What the access is evaluated for in place of this process, in words such as `the unit gpsd.service`; nil for a user.
    public var subject: String?
    /// The start of the probe: UTC, ISO 8601, in milliseconds.
    public var takenAt: String

    /// Creates an identity.
    public init(
        host: String, kernel: String, boot: String, source: Source, user: String, uid: UInt32, takenAt: String
    ) {
        self.host = host
        self.kernel = kernel
        self.boot = boot
        self.source = source
        self.user = user
        self.uid = uid
        self.takenAt = takenAt
    }
}

/// The machine that an assessment is of, the user whose access it evaluates, and when it was taken.
public struct RigIdentity: Sendable, Equatable {
    /// Where the inventory comes from.
    public enum Source: String, Sendable, Hashable, Codable {
        case live, recording
    }

    /// The host name.
    public var host: String
    /// The kernel's release, such as `6.1.0-56-amd64`.
    public var kernel: String
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    public var boot: String
    /// Where the inventory comes from.
    public var source: Source
    /// The name of the user whose access is evaluated.
    public var user: String
    /// That user's number.
    public var uid: UInt32
    /// When the probe began: UTC, ISO 8601, to the millisecond.
    public var takenAt: String

    /// Makes an identity.
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

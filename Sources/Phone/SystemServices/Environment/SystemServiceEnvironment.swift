internal import LocalRig
public import Configuration
internal import DriverKit
public import Permissions
public import Readiness
internal import Probing
public import SystemPackage

/// What a permissioner asks: the rig's access, the user's decisions, and what stands in for the services besides.
///
/// `live` is this machine; another one is made of what a test or a recording holds.
public struct SystemServiceEnvironment: Sendable {
    /// Why a file or the rig could not be asked, in one clause.
    public struct Fault: Error, Sendable {
        /// What went wrong.
        public enum Kind: Sendable {
            /// A file cannot be read, or is not valid.
            case unreadable
            /// A file cannot be written.
            case unwritable
            /// The rig cannot be asked.
            case rig
        }

        /// What went wrong.
        public let kind: Kind
        /// The clause, which names the file.
        public let reason: String

        /// Makes a fault.
        public init(_ kind: Kind, _ reason: String) {
            self.kind = kind
            self.reason = reason
        }

        /// The fault of a file.
        public init<Record>(_ failure: LockedFileError, of file: LockedFile<Record>) {
            switch failure {
            case .invalid(let error): self.init(.unreadable, error.description)
            case .unreadable(let errno): self.init(.unreadable, "\(file.path): \(errno.clause)")
            case .unwritable(let errno): self.init(.unwritable, "\(file.path): \(errno.clause)")
            case .irregular: self.init(.unreadable, "\(file.path): expected a regular file")
            case .busy: self.init(.unwritable, "\(file.path): another writer has kept it locked")
            }
        }
    }

    /// What the operating system allows.
    public var access: @Sendable () throws(Fault) -> Authorizations
    /// What the user and the system's owner have decided, and when.
    public var decisions: @Sendable () throws(Fault) -> Decisions
    /// Where the user's decisions are kept; nil where there is no place for them.
    public var grants: GrantFile?
    /// Where the answers about services are kept that no grant stands for, and of all how far a walk has come.
    public var consent: ConsentFile?
    /// The app's own reasons for motion, Bluetooth and health; those of the services hold where it has none.
    public var purposes: Purposes
    /// What shows notifications.
    public var notifications: @Sendable () -> NotificationService
    /// What records sound.
    public var microphones: @Sendable () -> Microphones

    /// Makes a host.
    public init(
        access: @escaping @Sendable () throws(Fault) -> Authorizations,
        decisions: @escaping @Sendable () throws(Fault) -> Decisions, grants: GrantFile?, consent: ConsentFile?,
        purposes: Purposes = Purposes(), notifications: @escaping @Sendable () -> NotificationService,
        microphones: @escaping @Sendable () -> Microphones
    ) {
        self.access = access
        self.decisions = decisions
        self.grants = grants
        self.consent = consent
        self.purposes = purposes
        self.notifications = notifications
        self.microphones = microphones
    }

    /// This machine, with gpsd where it usually is; probed as far as power and activation, so no sensor is sampled.
    public static var live: SystemServiceEnvironment {
        let grants = folder("XDG_CONFIG_HOME", ".config").map { GrantFile($0.appending("permissions.yaml")) }
        let policy = LockedFile<Policy>("/etc/rigready/policy.yaml")
        @Sendable func access() throws(Fault) -> Authorizations {
            let world = BundledDrivers.world()
            do throws(DriverError) {
                let rig = Probe(
                    BundledDrivers.drivers().map { DriverBinding($0, in: world) }, leftOut: BundledDrivers.leftOut)
                return Authorizations(access: try rig.inventory(depth: .state, timeout: 2))
            } catch {
                throw Fault(.rig, error.description)
            }
        }
        @Sendable func decisions() throws(Fault) -> Decisions {
            let own = if let grants { try read(grants) } else { Grants() }
            return Decisions(own, try read(policy), at: .live)
        }
        return SystemServiceEnvironment(
            access: access, decisions: decisions, grants: grants,
            consent: folder("XDG_STATE_HOME", ".local/state").map { ConsentFile($0.appending("consent.yaml")) },
            notifications: { .live() }, microphones: { Microphones(in: BundledDrivers.world()) })
    }

    /// What a file holds.
    static func read<Record>(_ file: LockedFile<Record>) throws(Fault) -> Record {
        do throws(LockedFileError) {
            return try file.read()
        } catch {
            throw Fault(error, of: file)
        }
    }

    /// The user's folder for rigready of some kind; nil where the user has no home.
    public static func folder(_ variable: String, _ otherwise: String) -> FilePath? {
        let base =
            Environment.value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (Environment.value("HOME") ?? Account.current.home).map { "\($0)/\(otherwise)" }
        guard let base, base.hasPrefix("/") else { return nil }
        return FilePath(base).appending("rigready")
    }
}

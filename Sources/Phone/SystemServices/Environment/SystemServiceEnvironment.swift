internal import LocalRig
public import Configuration
internal import DriverKit
public import Permissions
public import Readiness
internal import Probing
internal import SystemPackage

/// What a permissioner asks: the rig's access, the user's decisions, and what stands in for the services besides.
///
/// `live` is this machine; another one is made of what a test or a recording holds.
public struct SystemServiceEnvironment: Sendable {
    /// What the operating system allows.
    public var access: @Sendable () throws(SystemServiceError) -> Authorizations
    /// What the user and the system's owner have decided, and when.
    public var decisions: @Sendable () throws(DecisionFileError) -> Decisions
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
        access: @escaping @Sendable () throws(SystemServiceError) -> Authorizations,
        decisions: @escaping @Sendable () throws(DecisionFileError) -> Decisions, grants: GrantFile?,
        consent: ConsentFile?,
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
        let files = DecisionFiles()
        @Sendable func access() throws(SystemServiceError) -> Authorizations {
            let settings = ProbeSettings(LocalRig.Options())
            do throws(DriverError) {
                let timeout = Duration.seconds(settings.timeout)
                return Authorizations(access: try settings.probe().inventory(depth: .state, timeout: timeout))
            } catch {
                throw .rig(error)
            }
        }
        return SystemServiceEnvironment(
            access: access, decisions: { () throws(DecisionFileError) in try files.read() }, grants: files.grants,
            consent: UserFolder.state.path().map { ConsentFile($0.appending("consent.yaml")) },
            notifications: { .live() }, microphones: { Microphones(in: BundledDrivers.world()) })
    }
}

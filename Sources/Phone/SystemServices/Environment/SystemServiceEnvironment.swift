internal import LocalRig
public import Configuration
internal import DriverKit
public import Permissions
public import Readiness
internal import Probing
internal import SystemPackage

/// What a permissioner queries, of this machine (`live`), a test or a recording.
public struct SystemServiceEnvironment: Sendable {
    /// What the operating system allows.
    public var access: @Sendable () throws(SystemServiceError) -> Authorizations
    /// The decisions of the user and the system's owner, and their times.
    public var decisions: @Sendable () throws(DecisionFileError) -> Decisions
    /// Where the user's decisions are kept; nil if there is no place for them.
    public var grants: GrantFile?
    /// Where answers about services without a grant are kept, and the progress of the consent dialog.
    public var consent: ConsentFile?
    /// The app's own purposes for motion, Bluetooth and health; if it has none, those of the services apply.
    public var purposes: Purposes
    /// The state of the notification service.
    public var notifications: @Sendable () -> ServiceState
    /// The state of the capture devices of sound.
    public var microphone: @Sendable () -> ServiceState

    /// Creates an environment.
    public init(
        access: @escaping @Sendable () throws(SystemServiceError) -> Authorizations,
        decisions: @escaping @Sendable () throws(DecisionFileError) -> Decisions, grants: GrantFile?,
        consent: ConsentFile?, purposes: Purposes = Purposes(),
        notifications: @escaping @Sendable () -> ServiceState, microphone: @escaping @Sendable () -> ServiceState
    ) {
        self.access = access
        self.decisions = decisions
        self.grants = grants
        self.consent = consent
        self.purposes = purposes
        self.notifications = notifications
        self.microphone = microphone
    }

    /// This machine, with gpsd at its usual address; probed to power and activation, so no sensor is sampled.
    public static var live: SystemServiceEnvironment {
        let files = DecisionFiles()
        @Sendable func access() throws(SystemServiceError) -> Authorizations {
            let settings = ProbeSettings(LocalRig.Options())
            do throws(DriverError) {
                return Authorizations(access: try settings.probe().inventory(depth: .state, limit: settings.limit))
            } catch {
                throw .rig(error)
            }
        }
        return SystemServiceEnvironment(
            access: access, decisions: { () throws(DecisionFileError) in try files.read() }, grants: files.grants,
            consent: UserFolder.state.path().map { ConsentFile($0.appending("consent.yaml")) },
            notifications: { .notifications() }, microphone: { .microphone(in: BundledDrivers.world()) })
    }
}

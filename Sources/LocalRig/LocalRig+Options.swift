public import DriverKit
internal import Configuration
public import Readiness
internal import Recording

extension LocalRig {
    /// Which rig is assessed, and by what.
    public struct Options: Sendable {
        /// What stands for the rig.
        public enum WorldSource: Sendable {
            /// This machine.
            case live
            /// A recording: the path of a file, or `demo`, `field-kit` or `prototype-board`.
            case recording(String)
            /// What the running service published in a file, if it is no older than so many seconds.
            case cached(file: String, maximumAge: Double)
        }

        /// What stands for the rig.
        public var source = WorldSource.live
        /// The services asked for; nil takes those of the configuration, else all.
        public var services: [Service]?
        /// The version of the rules; nil takes the configuration's, else the newest.
        public var rules: RulesVersion?
        /// Option flags beside those of the configuration.
        public var flags: OptionFlags = []
        /// The services that the licence allows, literally; nil takes the configuration's, else all.
        public var licence: ServiceSet?
        /// The sensor under test of a kind, beside the configuration's.
        public var pins: [SensorKind: String] = [:]
        /// Whether the status counts a degraded service as failing.
        public var strict = false
        /// How far to probe; nil takes the recording's own, else `sample`.
        public var depth: Depth?
        /// Bounds the whole probe; nil takes the recording's own, else two seconds.
        public var timeout: Duration?
        /// Gives the location driver alone longer; nil takes the recording's own, else nothing.
        public var waitForFix: Duration?
        /// The least fix that counts; nil takes the recording's own, else a 2D fix.
        public var minimumFix: PositionReading.Fix?
        /// Seconds beyond which a fix is stale; nil takes the recording's own, else 10.
        public var maximumAge: Double?
        /// Whether a simulated fix counts; nil takes the recording's own, else true.
        public var allowsSimulated: Bool?
        /// Where gpsd listens; nil takes the recording's own, else `BundledDrivers.gpsd`.
        public var gpsd: HostPort?
        /// URIs of libiio contexts beside the local one.
        public var iio: [String] = []
        /// The configuration; nil takes `/etc/rigready/config.yaml` where it exists.
        public var configurationFile: String?
        /// The user's grants; nil takes `$XDG_CONFIG_HOME/rigready/permissions.yaml`.
        public var grantFile: String?
        /// The system-wide policy; nil takes `/etc/rigready/policy.yaml`.
        public var policyFile: String?
        /// Whose access is evaluated; nil for this process's.
        public var account: Account?

        /// Makes the options of this machine with everything at its default.
        public init() {}

        /// The options that the environment names: `RIGREADY_CONFIG`, `RIGREADY_PERMISSIONS`, `RIGREADY_POLICY` are files,
        /// `RIGREADY_GPSD` is a `HOST:PORT`.
        public static var environment: Options {
            var options = Options()
            options.configurationFile = Environment.value("RIGREADY_CONFIG")
            options.grantFile = Environment.value("RIGREADY_PERMISSIONS")
            options.policyFile = Environment.value("RIGREADY_POLICY")
            options.gpsd = Environment.value("RIGREADY_GPSD").flatMap {
                HostPort($0, defaultPort: BundledDrivers.gpsd.port)
            }
            return options
        }
    }
}

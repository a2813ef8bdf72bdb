public import DriverKit
internal import Linux
public import Readiness
internal import SystemPackage

extension LocalRig {
    /// The options of a rig: its source, the request and the probe.
    public struct Options: Sendable {
        /// Where the inventory comes from.
        public enum WorldSource: Sendable {
            /// This machine.
            case live
            /// A recording: the path of a file, or `demo`, `field-kit` or `prototype-board`.
            case recording(String)
            /// The report of the running service, if it is at most this old.
            case cached(file: String, maximumAge: Duration)
        }

        /// Where the inventory comes from.
        public var source = WorldSource.live
        /// The services asked for; nil for those of the configuration, otherwise all.
        public var services: [Service]?
        /// The version of the rules; nil for the configuration's, otherwise the newest.
        public var rules: RulesVersion?
        /// Option flags besides those of the configuration.
        public var flags: OptionFlags = []
        /// The services that the licence includes, literally; nil for the configuration's, otherwise all.
        public var licence: ServiceSet?
        /// The sensor under test of a kind, besides those of the configuration.
        public var pins: [SensorKind: String] = [:]
        /// Whether the status counts a degraded service as failing.
        public var strict = false
        /// The depth of the probe; nil for the recording's, otherwise `sample`.
        public var depth: Depth?
        /// The deadline of the whole probe; nil for the recording's, otherwise two seconds.
        public var timeout: Duration?
        /// Additional time for the location driver; nil for the recording's, otherwise none.
        public var waitForFix: Duration?
        /// The lowest fix that counts; nil for the recording's, otherwise a 2D fix.
        public var minimumFix: PositionReading.Fix?
        /// The age above which a fix is stale; nil for the recording's, otherwise ten seconds.
        public var maximumAge: Duration?
        /// Whether a simulated fix counts; nil for the recording's, otherwise true.
        public var allowsSimulated: Bool?
        /// The greatest horizontal error of a precise location, in metres; nil for the configuration's, otherwise 100.
        public var maximumError: Double?
        /// Whether an estimated position counts as precise; nil for the configuration's, otherwise false.
        public var allowsEstimated: Bool?
        /// The address of gpsd; nil for the recording's, otherwise `BundledDrivers.gpsd`.
        public var gpsd: HostPort?
        /// URIs of libiio contexts besides the local one.
        public var iio: [String] = []
        /// The folder of the sysfs to read, such as the host's in a container; nil for `/sys`.
        public var sysfs: String?
        /// The configuration; nil for `/etc/rigready/config.yaml` if it exists.
        public var configurationFile: String?
        /// The user's grants; nil for `$XDG_CONFIG_HOME/rigready/permissions.yaml`.
        public var grantFile: String?
        /// The system-wide policy; nil for `/etc/rigready/policy.yaml`.
        public var policyFile: String?
        /// The user whose access is evaluated; nil for this process's.
        public var account: Account?
        /// The process, unit or container whose access is evaluated, in place of an account; only as root.
        public var subject: AccessSubject?
        /// The drivers and their worlds in place of this machine's; for tests.
        package var probe: Probe?
        /// What the person who named these options should know about them.
        package var remarks: [String] = []
        /// A value of `RIGREADY_GPSD` that is no `HOST:PORT`.
        private var invalidPeer: String?

        /// Creates the options of this machine with all defaults.
        public init() {}

        /// The options from the environment: `RIGREADY_CONFIG`, `RIGREADY_PERMISSIONS`, `RIGREADY_POLICY` are files,
        /// `RIGREADY_GPSD` is a `HOST:PORT`, `RIGREADY_SYSFS` a folder.
        ///
        /// Every program and library begins with these; an option of a program takes the place of its variable.
        public static var environment: Options { Options(of: Environment.value) }

        /// The options from these variables.
        package init(of variable: (String) -> String?) {
            configurationFile = variable("RIGREADY_CONFIG")
            grantFile = variable("RIGREADY_PERMISSIONS")
            policyFile = variable("RIGREADY_POLICY")
            if let text = variable("RIGREADY_GPSD") {
                gpsd = HostPort(text, defaultPort: BundledDrivers.gpsd.port)
                if gpsd == nil { invalidPeer = text }
            }
            // Without a slash at its end.
            sysfs = variable("RIGREADY_SYSFS").map { FilePath($0).string }
        }

        /// Takes another source.
        ///
        /// A recording has its own gpsd and sysfs, which no variable replaces.
        package mutating func read(_ source: WorldSource) {
            self.source = source
            if case .recording = source { (gpsd, sysfs, invalidPeer) = (nil, nil, nil) }
        }

        /// Throws if a variable has no valid value, and no option takes its place.
        package func checkEnvironment() throws(LocalRigError) {
            guard gpsd == nil, let invalidPeer else { return }
            throw LocalRigError(.invalidRequest, "RIGREADY_GPSD takes HOST:PORT, not '\(invalidPeer.singleLine)'.")
        }
    }
}

extension LocalRig.Options {
    /// Whether probing may block in the kernel beyond its deadline: values of this machine's sensors are read, if it has
    /// any now, or in a watch may have some later.
    package func mayBlock(whileWatching isWatch: Bool) -> Bool {
        guard case .live = source, (depth ?? .sample) == .sample else { return false }
        if isWatch || !iio.isEmpty { return true }
        let world = BundledDrivers.world(as: account, sysfs: sysfs)
        do throws(DriverError) {
            if try !world.entries(of: "/sys/bus/iio/devices").isEmpty { return true }
        } catch {
            if error.errno != .noSuchFileOrDirectory { return true }
        }
        return BundledDrivers.opensInputDevices(in: world)
    }

    /// Checks that `sysfs` is a folder with a sysfs, if this machine is probed.
    func checkSysfs() throws(LocalRigError) {
        guard case .live = source, let sysfs else { return }
        do throws(DriverError) {
            _ = try LiveWorld(drivers: [], sysfs: sysfs).entries(of: "/sys/devices")
        } catch {
            throw LocalRigError(
                .unusableFile, "\(sysfs): expected the folder of a sysfs, with devices in it: \(error.reason)")
        }
    }
}

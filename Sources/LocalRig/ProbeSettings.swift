package import DriverKit
internal import Linux
internal import Readiness

/// How a rig is probed: from the options, otherwise the recording, otherwise the defaults.
package struct ProbeSettings {
    package let gpsd: HostPort
    let depth: Depth
    /// The time limits; for a recorded rig those of its probe.
    package let limit: ProbeLimit
    /// Seconds that the location driver may wait for a fix.
    let waitForFix: Double
    let criteria: FixCriteria
    /// The URIs of libiio contexts besides the local one.
    let iio: [String]
    private let account: Account?
    /// The drivers that asked when the rig was recorded; nil for a live one.
    private let recordedDrivers: [String]?
    private let sysfs: String?

    /// Resolves options; `header` is that of the recording, if the rig is recorded.
    package init(_ options: LocalRig.Options, _ header: Recording.Header? = nil) {
        gpsd =
            options.gpsd ?? header.flatMap { HostPort($0.gpsd, defaultPort: BundledDrivers.gpsd.port) }
            ?? BundledDrivers.gpsd
        depth = options.depth ?? header?.depth ?? .sample
        limit = Self.limit(options.timeout, header)
        waitForFix = options.waitForFix?.seconds ?? header?.waitFix ?? 0
        iio = ((header?.iio ?? []) + options.iio).unique
        var criteria = header?.criteria ?? FixCriteria()
        if let minimum = options.minimumFix { criteria.minimumFix = minimum }
        if let age = options.maximumAge { criteria.maximumAge = age }
        if let allows = options.allowsSimulated { criteria.allowsSimulated = allows }
        self.criteria = criteria
        account = options.account
        recordedDrivers = header?.drivers
        sysfs = options.sysfs
    }

    /// Without a timeout of the caller's, slow sensors have up to ten seconds.
    private static func limit(_ timeout: Duration?, _ header: Recording.Header?) -> ProbeLimit {
        guard let header else {
            return timeout.map { ProbeLimit($0) } ?? ProbeLimit(.seconds(2), longest: .seconds(10))
        }
        // A replay does not wait: what had no answer had none in the time of then.
        return ProbeLimit(.seconds(header.timeout), longest: header.longest.map { .seconds($0) })
    }

    package var drivers: [any Driver] {
        let all = BundledDrivers.drivers(gpsd: gpsd, criteria: criteria, waitForFix: waitForFix, iio: iio)
        return all.filter { isAsked($0.name, for: $0.kinds, among: all) }
    }

    /// Whether a driver can say something of the rig.
    ///
    /// One that did not ask when it was recorded, since the build of then lacked it, is not asked if others looked for all
    /// its kinds: what they found stands.
    private func isAsked(_ name: String, for kinds: [SensorKind], among drivers: [any Driver]) -> Bool {
        guard let recordedDrivers, !recordedDrivers.contains(name), !iio.contains(name) else { return true }
        let searched = Set(drivers.filter { recordedDrivers.contains($0.name) }.flatMap(\.kinds))
        return !searched.isSuperset(of: kinds)
    }

    /// This machine as the drivers access it.
    package var world: any World { BundledDrivers.world(as: account, sysfs: sysfs) }

    package func probe() -> Probe { probe { _ in world } }

    /// A probe whose drivers have a world each.
    package func probe(in world: (any Driver) -> any World) -> Probe {
        let drivers = drivers
        let leftOut = BundledDrivers.leftOut.filter { isAsked($0.name, for: $0.kinds, among: drivers) }
        return Probe(drivers.map { DriverBinding($0, in: world($0)) }, leftOut: leftOut)
    }
}

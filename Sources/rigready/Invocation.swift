import LocalRig
import Configuration
import DriverKit
import Permissions
import Readiness
import Recording
import Probing
import SystemPackage

/// One call, resolved: what is asked of which rig.
final class Invocation {
    static let defaultConfiguration = "/etc/rigready/config.yaml"
    /// Seconds that a replay may take, of which it needs a hundredth on a machine that is not at its knees.
    static let allowance = 20.0

    let options: ProbeOptions
    let evaluator: Evaluator
    let pins: [SensorKind: String]
    /// The configuration that the call rests on, if any.
    let configurationFile: String?
    /// Why the app asks for permissions.
    let purposes: Purposes
    /// What the user and the system's owner have decided.
    let decisions: Decisions
    /// Whose access counts, where it is not this process's.
    private let account: Account?
    /// The recording that stands for the rig, if one does.
    let recording: Recording?
    /// What the running service has found, if the call rests on that.
    private let cache: Result<CachedReport, CachedReport.Unusable>?

    /// Reads the files that the options name; throws `Failure`.
    ///
    /// A baseline's rules hold where the command line names none, its services where nobody else asks for any.
    init(_ options: ProbeOptions, only service: Service? = nil, expecting baseline: Baseline? = nil) throws {
        self.options = options
        let version = try options.rules.map(Self.version(named:)) ?? baseline?.rules
        let configuration = try Self.configuration(named: options.config, rules: version)
        configurationFile = configuration == nil ? nil : options.config ?? Self.defaultConfiguration
        purposes = configuration?.purposes ?? Purposes()
        configuration?.remarks.forEach { Output.complain($0) }
        evaluator = try Self.evaluator(
            options, configuration, rules: Rules(version ?? configuration?.rules ?? Rules.newest.version),
            only: service,
            otherwise: baseline?.asked)
        pins = try Self.pins(options, configuration)
        account = try options.account()
        recording = try options.rig.map(Self.recording)
        decisions = try options.decisions(of: account, on: recording)
        do {
            let file = options.cachedFrom ?? CachedReport.defaultFile
            cache = options.cached ? .success(try CachedReport(file, maximumAge: options.maxAge ?? 10)) : nil
        } catch let unusable as CachedReport.Unusable {
            cache = .failure(unusable)
        }
    }

    /// The same call on a recorded rig; the peers that the options name are this rig's, the recorded one had its own.
    init(_ invocation: Invocation, on recording: Recording) {
        var options = invocation.options
        options.gpsd = nil
        options.iio = []
        self.options = options
        self.recording = recording
        evaluator = invocation.evaluator
        pins = invocation.pins
        configurationFile = invocation.configurationFile
        purposes = invocation.purposes
        decisions = invocation.decisions
        account = invocation.account
        cache = invocation.cache
    }

    /// The status of what is only shown, and not judged: 2 where nothing can be told.
    var statusWhenShown: Int32 {
        if case .failure = cache { return 2 }
        return 0
    }

    /// Probes and judges; what crosses the seam is heard by the recorder.
    func examine(recordedBy recorder: Recorder? = nil) throws -> Assessment {
        Assessment(
            host, try inventory(recorder), evaluator, decisions: decisions, pins: pins, strict: options.strict,
            isBlind: statusWhenShown != 0)
    }

    /// Starts to watch the rig of the call.
    func watch(resample: Double?) throws -> InventoryWatch {
        do {
            return try InventoryWatch(
                rig(nil), depth: depth, timeout: timeout, resample: resample,
                allowance: recording.map { _ in Self.allowance })
        } catch {
            throw Failure(.software, "\(error)")
        }
    }

    /// Judges what a watch has found.
    func assessment(of inventory: Inventory, resample: Double?) -> Assessment {
        var assessment = Assessment(
            host, inventory, evaluator, decisions: decisions, pins: pins, strict: options.strict)
        assessment.watch = Assessment.Watch(resample: resample)
        return assessment
    }

    /// The files that the call rests on beside the rig.
    var files: [FilePath] {
        [
            options.files.grantFile(of: account)?.path, FilePath(options.files.policy ?? Policy.defaultFile),
            FilePath(options.config ?? Self.defaultConfiguration),
        ].compactMap { $0 }
    }

    /// The recording of an examination.
    func recording(of assessment: Assessment, by recorder: Recorder) -> Recording {
        let host = assessment.host
        var header = Recording.Header(
            version: RigReady.version, takenAt: host.takenAt, host: host.name, kernel: host.kernel,
            boot: host.boot, user: host.user, uid: host.uid, drivers: drivers.map(\.name), depth: depth,
            gpsd: gpsd.description, iio: iio, timeout: timeout, waitFix: waitFix, criteria: criteria)
        header.keep(decisions)
        return Recording(header: header, from: recorder)
    }

    private var host: RigIdentity {
        guard let header = recording?.header else {
            var host = RigIdentity.live(as: account)
            if case .success(let report) = cache { host.takenAt = report.takenAt }
            return host
        }
        return RigIdentity(
            name: header.host, kernel: header.kernel, boot: header.boot, source: "recording", user: header.user,
            uid: header.uid, takenAt: header.takenAt)
    }

    /// Where events come from, after the probe of this machine; as deep as the probe went.
    func sources(recordedBy recorder: Recorder) -> EventListener {
        let feeds = [EventFeed(.uevents)] + drivers.flatMap { $0.eventFeeds(depth) }
        return EventListener(to: feeds, in: BundledDrivers.world(), recorder: recorder)
    }

    /// A recording is asked where the rig was, unless another place is named.
    private var gpsd: HostPort {
        options.gpsd ?? recording.flatMap { HostPort(argument: $0.header.gpsd) } ?? BundledDrivers.gpsd
    }

    /// So are the other options that decide what is asked.
    private var depth: Depth { options.depth ?? recording?.header.depth ?? .sample }
    private var waitFix: Double { options.waitFix ?? recording?.header.waitFix ?? 0 }
    private var iio: [String] {
        ((recording?.header.iio ?? []) + options.iio).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A recorded rig had its own time: less would ask of it what it was never given.
    private var timeout: Double {
        let times = [options.timeout, recording?.header.timeout].compactMap(\.self)
        return times.max() ?? 2
    }

    private var criteria: FixCriteria {
        var criteria = recording?.header.criteria ?? FixCriteria()
        if let minimum = options.minFix { criteria.minimumFix = minimum.fix }
        if let age = options.maxAge { criteria.maximumAge = age }
        if options.noSimulated { criteria.allowsSimulated = false }
        return criteria
    }

    private var drivers: [any Driver] {
        BundledDrivers.drivers(gpsd: gpsd, criteria: criteria, waitForFix: waitFix, iio: iio)
    }

    private func rig(_ recorder: Recorder?) -> Probe {
        let posts = drivers.map { driver in
            let world: any World =
                recording.map { ReplayWorld($0, of: driver.name) } ?? BundledDrivers.world(as: account)
            guard let recorder else { return DriverBinding(driver, in: world) }
            let limit = timeout + driver.patience
            return DriverBinding(driver, in: RecordingWorld(world, of: driver.name, to: recorder, until: limit))
        }
        return Probe(posts, leftOut: BundledDrivers.leftOut)
    }

    private func inventory(_ recorder: Recorder?) throws -> Inventory {
        switch cache {
        case .success(let report):
            return report.inventory.seen(from: try listing())
        case .failure(let unusable): return Inventory(unknown: unusable.reason, drivers: drivers)
        case nil: break
        }
        let inventory: Inventory
        do {
            inventory = try rig(recorder).inventory(
                depth: depth, timeout: timeout, allowance: recording.map { _ in Self.allowance })
        } catch {
            throw Failure(.software, "\(error)")
        }
        // A context in a file is a file that was named: one that is no context is not a matter of the rig.
        if recording == nil,
            let file = inventory.drivers.first(where: { $0.name.hasPrefix("xml:") && $0.state == .failed })
        {
            throw Failure(.badFile, "\(file.name.dropFirst(4)): \(file.detail ?? "expected a libiio context")")
        }
        return inventory
    }

    /// What this user may do, by a probe that wakes no sensor.
    private func listing() throws(Failure) -> Inventory {
        do {
            return try rig(nil).inventory(depth: .state, timeout: timeout)
        } catch {
            throw Failure(.software, "\(error)")
        }
    }

    private static func recording(_ name: String) throws -> Recording {
        if let embedded = EmbeddedRig(rawValue: name) { return try embedded.recording() }
        let hint = suggestion(for: name, among: EmbeddedRig.names).map { " (did you mean \"\($0)\"?)" } ?? ""
        let names = EmbeddedRig.names(partedBy: ", ")
        let bytes = try Files.read(name, limit: 64 << 20, expecting: "a recording, or one of \(names)\(hint)")
        do {
            return try Recording(parsing: bytes, file: name)
        } catch {
            throw Failure(.badFile, error.description)
        }
    }

    /// The configuration of a call, or the one in the default place; nil where there is neither.
    static func configuration(named name: String?, rules: RulesVersion?) throws -> RigConfiguration? {
        // One in the default place that cannot be read is not passed over.
        guard let file = name ?? (Files.exists(defaultConfiguration) ? defaultConfiguration : nil) else {
            return nil
        }
        let bytes = try Files.read(file, limit: 1 << 20, expecting: "a configuration in YAML or JSON")
        do {
            return try RigConfiguration(parsing: bytes, file: file, rules: rules)
        } catch {
            throw Failure(.badFile, error.description)
        }
    }
}

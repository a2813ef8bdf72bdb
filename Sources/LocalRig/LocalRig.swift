internal import DriverKit
internal import Linux
@_exported public import Readiness
package import SystemPackage

/// A rig that can be assessed: this machine, a recording, or the report of the running service.
///
/// It assembles drivers, worlds, configuration, grants and policy. An assessment never asks the user and never writes.
public struct LocalRig: Sendable {
    package static let defaultConfiguration = "/etc/rigready/config.yaml"

    /// The options of the rig.
    public private(set) var options: Options
    /// The default request of a call.
    package private(set) var request: Assessment.Request
    /// The configuration.
    package private(set) var configuration: RigConfiguration
    /// The configuration's file; nil without one.
    public private(set) var configurationFile: String?
    /// The decisions of the user and the system's owner.
    package private(set) var decisions: Decisions
    package private(set) var recording: Recording?
    /// Receives what an assessment waits for longer than usual, sensor by sensor, until that is over.
    package var waiting: @Sendable ([PendingReading]) -> Void = { _ in }
    private var cache: Result<CachedReport, CachedReport.Unusable>?
    /// The process in the place of the subject of the options.
    private var subjectProcess: SubjectProcess?
    /// When it began to read its files, as `FileWatch.clock` has it.
    private(set) var readAt = FileWatch.clock

    /// Assembles the rig of a recording: the path of a file, or `demo`, `field-kit` or `prototype-board`; with the files
    /// that the environment names.
    public init(recording name: String) throws(LocalRigError) {
        var options = Options.environment
        options.read(.recording(name))
        try self.init(options)
    }

    /// Assembles a rig, by default this machine with the files that the environment names; reads those of the options.
    public init(_ options: Options = .environment) throws(LocalRigError) { try self.init(options, expecting: nil) }

    /// Assembles a rig for a comparison: the baseline's rules apply if the options name none, its services if nothing
    /// else names any.
    package init(_ options: Options, expecting baseline: Baseline?) throws(LocalRigError) {
        try options.checkEnvironment()
        self.options = options
        try options.checkSysfs()
        if case .recording = options.source {
        } else if let subject = options.subject {
            subjectProcess = try LocalRigError.wrapping(.invalidRequest) { try SubjectProcess(for: subject) }
        }
        (request, configuration, configurationFile) = try Self.asked(by: options, expecting: baseline)
        recording = if case .recording(let name) = options.source { try Self.recording(named: name) } else { nil }
        decisions = Decisions()
        cache =
            if case .cached(let file, let age) = options.source {
                try CachedReport.read(file, maximumAge: age)
            } else {
                nil
            }
        self = decided(by: try Self.decisions(options, recording))
    }

    /// Assembles this machine without its files, which the caller reads: nothing is configured and nothing decided.
    package init(unread options: Options) {
        self.options = options
        (request, configuration, configurationFile) = (Assessment.Request(.all), RigConfiguration(), nil)
        decisions = Decisions()
    }

    /// The same rig with another configuration; throws if that asks for services that its rules lack.
    package func configured(by configuration: RigConfiguration, in file: String?) throws(LocalRigError) -> LocalRig {
        var rig = self
        rig.configuration = configuration
        rig.configurationFile = file
        rig.request = try Self.request(options, &rig.configuration, expecting: nil)
        rig.decisions.isReducedByDefault = configuration.isReducedByDefault
        return rig
    }

    /// The same rig with other decisions.
    package func decided(by decisions: Decisions) -> LocalRig {
        var rig = self
        rig.decisions = decisions
        rig.decisions.isReducedByDefault = configuration.isReducedByDefault
        // A remedy names the file that was named. A recorded rig has its own.
        if recording == nil || options.grantFile != nil {
            rig.decisions.grants.namedFile = options.grantFile.flatMap { ShellWord($0)?.quoted }
        }
        return rig
    }

    /// Applies the same request to another recording; peers named by the options belong to this rig, not the recorded
    /// one.
    package init(_ rig: LocalRig, on recording: Recording) {
        self = rig
        options.gpsd = nil
        options.iio = []
        self.recording = recording
        waiting = { _ in }
        cache = nil
    }

    /// Probes once and evaluates.
    ///
    /// Blocks until the probe ends: `timeout`, and the additional time of the location driver. Without services those
    /// of the options are evaluated.
    public func assess(
        _ services: [Service] = [], depth: Depth? = nil, timeout: Duration? = nil
    ) throws(LocalRigError) -> Assessment {
        try with(depth: depth, timeout: timeout).assess(self.request(for: services), recordedBy: nil)
    }

    /// Probes once and evaluates; the recorder receives everything that the drivers read.
    package func assess(
        _ request: Assessment.Request? = nil, recordedBy recorder: Recorder?
    ) throws(LocalRigError) -> Assessment {
        evaluate(try inventory(recorder), request, isBlind: isBlind)
    }

    package func evaluate(
        _ inventory: Inventory, _ request: Assessment.Request? = nil, resampling: Assessment.Resampling = .none,
        isBlind: Bool = false
    ) -> Assessment {
        let inventory = workable(inventory)
        return Assessment(
            inventory, of: identity, authorizations: authorizations(Authorizations(access: inventory)),
            request: request ?? self.request, resampling: resampling, isBlind: isBlind)
    }

    /// What is left of the operating system's access after grants and policy, with remedies that work on this rig.
    package func authorizations(_ access: Authorizations) -> Authorizations {
        workable(access.narrowed(by: decisions))
    }

    /// Whether nothing can be determined, since the published report cannot be used.
    package var isBlind: Bool { if case .failure = cache { true } else { false } }

    private func request(for services: [Service]) throws(LocalRigError) -> Assessment.Request {
        guard !services.isEmpty else { return request }
        var options = options
        options.services = services
        var request = request
        request.evaluator = try Self.evaluator(
            options, configuration, rules: request.evaluator.rules, otherwise: nil)
        return request
    }

    func with(depth: Depth?, timeout: Duration?) -> LocalRig {
        var rig = self
        rig.options.depth = depth ?? options.depth
        rig.options.timeout = timeout ?? options.timeout
        return rig
    }

    // MARK: Probing

    var identity: RigIdentity {
        guard let header = recording?.header else {
            var identity = RigIdentity.live(as: subjectProcess?.account ?? options.account)
            identity.subject = options.subject?.words
            if case .success(let report) = cache { identity.takenAt = report.takenAt }
            return identity
        }
        var identity = RigIdentity(
            host: header.host, kernel: header.kernel, boot: header.boot, source: .recording, user: header.user,
            uid: header.uid, takenAt: header.takenAt)
        identity.subject = header.subject.flatMap(AccessSubject.init)?.words
        return identity
    }

    private func probe(_ recorder: Recorder?) -> Probe {
        if let probe = options.probe { return probe }
        let settings = settings
        return settings.probe { driver in
            let world: any World = recording.map { ReplayWorld($0, of: driver.name) } ?? world
            guard let recorder else { return world }
            let limit = settings.limit.longest + driver.patience
            return RecordingWorld(world, of: driver.name, to: recorder, until: limit)
        }
    }

    /// What of the subject's rights could not be taken over, so that access is unknown where it could matter.
    package var omissions: [String] { subjectProcess?.omissions ?? [] }

    /// This machine as the subject, or the account, may use it.
    private var world: any World {
        guard let subjectProcess else { return settings.world }
        return SubjectWorld(subjectProcess, on: BundledDrivers.world(as: subjectProcess.account, sysfs: options.sysfs))
    }

    var settings: ProbeSettings { ProbeSettings(options, recording?.header) }

    private func inventory(_ recorder: Recorder?) throws(LocalRigError) -> Inventory {
        switch cache {
        case .success(let report): return report.inventory.seen(from: try probed(nil, depth: .state))
        case .failure(let unusable): return Inventory(unknown: unusable.reason, drivers: settings.drivers)
        case nil: break
        }
        let inventory = try probed(recorder, depth: settings.depth)
        // A context in a file was named by the caller, so an invalid one is an error in the request.
        if recording == nil,
            let file = inventory.drivers.first(where: { $0.name.hasPrefix("xml:") && $0.state == .failed })
        {
            throw LocalRigError(
                .unusableFile, "\(file.name.dropFirst(4)): \(file.detail ?? "expected a libiio context")")
        }
        return inventory
    }

    private func probed(_ recorder: Recorder?, depth: Depth) throws(LocalRigError) -> Inventory {
        try LocalRigError.wrapping(.internalFault) {
            try probe(recorder).inventory(depth: depth, limit: settings.limit, waiting: waiting)
        }
    }

    package func watchInventory(
        resample: Double?, keepsAccess: Bool = false
    ) throws(LocalRigError) -> InventoryWatch {
        try LocalRigError.wrapping(.internalFault) {
            try InventoryWatch(
                probe(nil), depth: settings.depth, limit: settings.limit, resample: resample.map { .seconds($0) },
                keepsAccess: keepsAccess, waiting: waiting)
        }
    }

    /// The files that the assessment depends on, besides the rig.
    package var files: [FilePath] {
        [
            options.decisionFiles.grants?.path, options.decisionFiles.policy.path,
            FilePath(options.configurationFile ?? Self.defaultConfiguration),
        ].compactMap(\.self)
    }

    /// Returns the recording of an assessment.
    package func recording(
        of assessment: Assessment, by recorder: Recorder, measured: MeasurementRequest? = nil
    ) -> Recording {
        let rig = assessment.rig
        let settings = settings
        var header = Recording.Header(
            version: Release.version, takenAt: rig.takenAt, host: rig.host, kernel: rig.kernel, boot: rig.boot,
            user: rig.user, uid: rig.uid, drivers: settings.drivers.map(\.name), depth: settings.depth,
            gpsd: settings.gpsd.description, iio: settings.iio, timeout: settings.limit.timeout.seconds,
            waitFix: settings.waitForFix, criteria: settings.criteria)
        if settings.limit.longest > settings.limit.timeout { header.longest = settings.limit.longest.seconds }
        header.measured = measured?.seconds
        header.measuredRate = measured?.rate
        if measured?.isMoved == true { header.measuredMotion = true }
        if measured != nil, !options.pins.isEmpty { header.measuredPinned = true }
        header.hasSudo = Self.hasSudo ? nil : false
        header.subject = options.subject?.id
        header.keep(decisions)
        return Recording(header: header, from: recorder)
    }
}

internal import DriverKit
package import Readiness
internal import SystemPackage

extension LocalRig {
    /// Returns the request of the options and the configuration, and the configuration with its file.
    package static func asked(
        by options: Options, expecting baseline: Baseline? = nil
    ) throws(LocalRigError) -> (request: Assessment.Request, configuration: RigConfiguration, file: String?) {
        let found = try configuration(named: options.configurationFile, rules: options.rules ?? baseline?.rules)
        var configuration = found?.configuration ?? RigConfiguration()
        return (try request(options, &configuration, expecting: baseline), configuration, found?.file)
    }

    /// The request of the options and a configuration, which gets a remark where rules are not known.
    static func request(
        _ options: Options, _ configuration: inout RigConfiguration, expecting baseline: Baseline?
    ) throws(LocalRigError) -> Assessment.Request {
        let version = options.rules ?? baseline?.rules
        let rules = Rules(version ?? configuration.rules ?? Rules.newest.version)
        if options.rules != nil || configuration.rules != nil, let remark = rules.remark {
            configuration.remarks.append(remark)
        }
        let evaluator = try evaluator(options, configuration, rules: rules, otherwise: baseline?.asked)
        let pins = configuration.pins.merging(options.pins) { _, option in option }
        var precision = PrecisionCriteria()
        precision.maximumError =
            options.maximumError ?? configuration.maximumError ?? precision.maximumError
        precision.allowsEstimated =
            options.allowsEstimated ?? configuration.allowsEstimated ?? precision.allowsEstimated
        return Assessment.Request(
            evaluator, pins: pins, precision: precision, strict: options.strict, accepted: configuration.accepted)
    }

    /// Creates the evaluator of the named services, otherwise the configuration's, otherwise `otherwise`; flags are added.
    static func evaluator(
        _ options: Options, _ configuration: RigConfiguration, rules: Rules, otherwise: ServiceSet?
    ) throws(LocalRigError) -> Evaluator {
        let named = options.services.map { ServiceSet($0) }
        let asked = named ?? configuration.services ?? otherwise
        if let configured = configuration.services, let stray = asked?.subtracting(configured), !stray.isEmpty {
            let names = stray.members.map(\.id).joined(separator: ", ")
            throw LocalRigError(.invalidRequest, "\(names) is not among the services of the configuration.")
        }
        if let stray = options.licence?.members.first(where: { !rules.services.contains($0) }) {
            throw LocalRigError(
                .invalidRequest,
                "rules \(rules.version) have no \(stray.id) (since \(Rules.firstVersion(with: stray))).")
        }
        return try LocalRigError.wrapping(.invalidRequest) {
            try Evaluator(
                of: asked, rules: rules, flags: options.flags.union(configuration.flags),
                licence: options.licence ?? configuration.licence)
        }
    }

    /// Reads the named configuration, otherwise the one in the default place; nil if there is none.
    package static func configuration(
        named name: String?, rules: RulesVersion?
    ) throws(LocalRigError) -> (configuration: RigConfiguration, file: String)? {
        // One in the default place that cannot be read is an error.
        guard let file = name ?? (InputFile.exists(defaultConfiguration) ? defaultConfiguration : nil) else {
            return nil
        }
        let bytes = try InputFile.read(file, limit: 1 << 20, expecting: "a configuration in YAML or JSON")
        return try LocalRigError.wrapping(.unusableFile) {
            (try RigConfiguration(parsing: bytes, file: file, rules: rules), file)
        }
    }

    /// Reads a recording by its path, or an embedded one by its name.
    static func recording(named name: String) throws(LocalRigError) -> Recording {
        if let embedded = EmbeddedRig(rawValue: name) { return try embedded.recording() }
        let hint = suggestion(for: name, among: EmbeddedRig.names).map { " (did you mean \"\($0)\"?)" } ?? ""
        let names = EmbeddedRig.names.joined(separator: ", ")
        let bytes = try InputFile.read(
            name, limit: Recording.limit, expecting: "a recording, or one of \(names)\(hint)")
        return try LocalRigError.wrapping(.unusableFile) { try Recording(parsing: bytes, file: name) }
    }

    // MARK: Grants and policy

    /// Reads the decisions; a recorded rig has its own, unless a file is named.
    static func decisions(_ options: Options, _ recording: Recording?) throws(LocalRigError) -> Decisions {
        var decisions = try recording?.decisions() ?? Decisions(at: .live)
        // The default places are only looked up if they are read.
        try LocalRigError.wrapping(.unusableFile) {
            if recording == nil || options.grantFile != nil {
                decisions.grants = try options.decisionFiles.readGrants()
                decisions.now = .live
            }
            if recording == nil || options.policyFile != nil {
                decisions.policy = try options.decisionFiles.readPolicy()
            }
        }
        return decisions
    }
}

extension LocalRig.Options {
    package var decisionFiles: DecisionFiles {
        DecisionFiles(
            grants: grantFile.map { FilePath($0) }, policy: policyFile.map { FilePath($0) }, of: account)
    }
}

extension Recording.Header {
    /// The prefix of the file in the text that a recording stores.
    fileprivate static let option = "--permissions "

    mutating func keep(_ decisions: Decisions) {
        if let file = decisions.grants.file, !decisions.grants.isEmpty {
            grants = Recording.File(
                file: file, text: decisions.grants.text, option: decisions.grants.namedFile.map { Self.option + $0 })
        }
        if let file = decisions.policy.file, !decisions.policy.text.isEmpty {
            policy = Recording.File(file: file, text: decisions.policy.text)
        }
        guard grants != nil else { return }
        circumstances = Recording.RecordedContext(
            uptime: decisions.now.uptime, session: decisions.now.session, sessions: decisions.now.sessions.sorted())
    }
}

extension Recording {
    /// The decisions on the recorded rig; throws if the recording's text is not valid.
    fileprivate func decisions() throws(LocalRigError) -> Decisions {
        let context = header.circumstances
        var decisions = Decisions(
            at: GrantContext(
                boot: header.boot, uptime: context?.uptime ?? 0, session: context?.session,
                sessions: Set(context?.sessions ?? [])))
        do throws(ConfigurationError) {
            if let grants = header.grants {
                decisions.grants = try Grants(parsing: Array(grants.text.utf8), file: grants.file)
                decisions.grants.namedFile = grants.option.map { String($0.dropFirst(Header.option.count)) }
            }
            if let policy = header.policy {
                decisions.policy = try Policy(parsing: Array(policy.text.utf8), file: policy.file)
            }
        } catch {
            throw LocalRigError(.unusableFile, "line 1: invalid grants or policy in the header: \(error)")
        }
        return decisions
    }
}

internal import Readiness

extension Grants {
    /// Parses the grant file, YAML or JSON; throws the place and what was expected.
    ///
    /// An empty file has no records. The schema is in `Sources/LocalRig/Permissions/README.md`.
    package init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init(file: file)
        guard let root = try ConfigurationNode(parsing: bytes, file: file) else { return }
        let found = try root.mapping(of: "permissions", keys: Permission.allCases.map { [$0.rawValue] })
        for permission in Permission.allCases {
            guard let node = found[permission.rawValue]?.value else { continue }
            if let record = Self.record(of: permission) {
                self[keyPath: record] = try node.word(among: PermissionDecision.allCases)
            } else {
                location = try LocationGrant(node)
            }
        }
    }
}

extension LocationGrant {
    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        guard case .mapping = node.value else {
            self.init(try node.word(among: LocationDecision.allCases))
            return
        }
        let keys = ["status", "accuracy", "once", "provisional", "usedOutside", "askedForAlways", "fullAccuracy"]
        let found = try node.mapping(of: "keys of a location grant", keys: keys.map { [$0] })
        guard let status = found["status"]?.value else { throw node.error("expected a status") }
        self.init(try status.word(among: LocationDecision.allCases))
        if let node = found["accuracy"]?.value { isReduced = try node.isReduced() }
        if let node = found["once"]?.value { once = try Validity(node) }
        if let node = found["provisional"]?.value { provisional = try Validity(node) }
        if let node = found["usedOutside"]?.value { wasUsedOutside = try node.bool() }
        if let node = found["askedForAlways"]?.value { wasAskedForAlways = try node.bool() }
        if let node = found["fullAccuracy"]?.value {
            let found = try node.mapping(of: "keys of temporary full accuracy", keys: [["purpose"]] + Validity.keys)
            guard let purpose = found["purpose"]?.value else {
                throw node.error("expected a purpose")
            }
            fullAccuracy = FullAccuracy(
                purpose: try purpose.text(expected: "a purpose's key", allowsEmpty: true),
                lifetime: try Validity(found, of: node))
        }
    }
}

extension Validity {
    fileprivate static let keys = [["boot"], ["session"], ["until"]]

    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        try self.init(node.mapping(of: "keys of a lifetime", keys: Self.keys), of: node)
    }

    fileprivate init(
        _ found: [String: ConfigurationNode.MappingEntry], of node: ConfigurationNode
    ) throws(ConfigurationError) {
        guard let boot = found["boot"]?.value else { throw node.error("expected a boot") }
        self.init(boot: try boot.text(expected: "a boot's identifier", allowsEmpty: true))
        if let node = found["session"]?.value {
            session = try node.text(expected: "a login session", allowsEmpty: true)
        }
        if let node = found["until"]?.value { until = try node.number(expected: "seconds since the boot") }
    }
}

extension Policy {
    /// Parses the policy file, YAML or JSON; throws the place and what was expected.
    ///
    /// An empty file allows everything. The schema is in `Sources/LocalRig/Permissions/README.md`.
    package init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init(file: file)
        guard let root = try ConfigurationNode(parsing: bytes, file: file) else { return }
        let found = try root.mapping(of: "permissions", keys: Permission.allCases.map { [$0.rawValue] })
        for permission in Permission.allCases {
            guard let node = found[permission.rawValue]?.value else { continue }
            if permission == .location, case .mapping = node.value {
                let found = try node.mapping(of: "limits of location", keys: [["maximum"], ["accuracy"]])
                if let node = found["maximum"]?.value {
                    isWhenInUseAtMost = try node.word(among: Maximum.allCases) == .whenInUse
                }
                if let node = found["accuracy"]?.value { isReduced = try node.isReduced() }
            } else if try node.word(among: Limit.allCases) == .restricted {
                restricted.insert(permission)
            }
        }
    }

    /// The limits of a permission as a whole.
    private enum Limit: String, CaseIterable { case allowed, restricted }

    /// The highest level of location that a policy may allow.
    private enum Maximum: String, CaseIterable {
        case always
        case whenInUse = "when-in-use"
    }
}

extension ConfigurationNode {
    private enum GrantedAccuracy: String, CaseIterable { case full, reduced }

    fileprivate func isReduced() throws(ConfigurationError) -> Bool {
        try word(among: GrantedAccuracy.allCases) == .reduced
    }
}

extension Grants {
    /// The grant file as YAML; parsing it returns an equal value.
    package var text: String {
        var lines = ["# What the user allows; rigready permissions writes it. Without a record access alone decides."]
        if let location { lines += location.lines }
        for (name, decision) in [("motion", motion), ("bluetooth", bluetooth), ("health", health)] {
            if let decision { lines.append("\(name): \(decision.rawValue)") }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Policy {
    /// The policy file as YAML; parsing it returns an equal value.
    package var text: String {
        var lines: [String] = []
        if restricted.contains(.location) {
            lines.append("location: restricted")
        } else if isWhenInUseAtMost || isReduced {
            let limits = [isWhenInUseAtMost ? "maximum: when-in-use" : nil, isReduced ? "accuracy: reduced" : nil]
            lines.append("location: {\(limits.compactMap { $0 }.joined(separator: ", "))}")
        }
        for permission in Permission.allCases where permission != .location && restricted.contains(permission) {
            lines.append("\(permission.rawValue): restricted")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension LocationGrant {
    fileprivate var lines: [String] {
        guard self != LocationGrant(decision) else { return ["location: \(decision.rawValue)"] }
        var lines = ["location:", "  status: \(decision.rawValue)"]
        if isReduced { lines.append("  accuracy: reduced") }
        if let once { lines.append("  once: {\(once.text)}") }
        if let provisional { lines.append("  provisional: {\(provisional.text)}") }
        if wasUsedOutside { lines.append("  usedOutside: true") }
        if wasAskedForAlways { lines.append("  askedForAlways: true") }
        if let fullAccuracy {
            let purpose = fullAccuracy.purpose.quotedForYAML
            lines.append("  fullAccuracy: {purpose: \(purpose), \(fullAccuracy.lifetime.text)}")
        }
        return lines
    }
}

extension Validity {
    fileprivate var text: String {
        var parts = ["boot: \(boot.quotedForYAML)"]
        if let session { parts.append("session: \(session.quotedForYAML)") }
        if let until { parts.append("until: \(until)") }
        return parts.joined(separator: ", ")
    }
}

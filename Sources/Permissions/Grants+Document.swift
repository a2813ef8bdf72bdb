internal import Readiness
public import Configuration

extension Grants {
    /// Parses the grant file, YAML or JSON; throws the place and what was expected.
    ///
    /// An empty file has no records. The schema is in `Sources/Permissions/README.md`.
    public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init(file: file)
        let document = try ConfigurationDocument(parsing: bytes, file: file)
        guard let root = document.root, !root.isNull else { return }
        let found = try document.mapping(root, of: "permissions", keys: Permission.allCases.map { [$0.rawValue] })
        if let node = found["location"]?.value { location = try LocationGrant(node, in: document) }
        if let node = found["motion"]?.value { motion = try document.word(node, of: PermissionDecision.self) }
        if let node = found["bluetooth"]?.value { bluetooth = try document.word(node, of: PermissionDecision.self) }
        if let node = found["health"]?.value { health = try document.word(node, of: PermissionDecision.self) }
    }
}

extension LocationGrant {
    fileprivate init(_ node: ConfigurationNode, in document: ConfigurationDocument) throws(ConfigurationError) {
        guard case .mapping = node.value else {
            self.init(try document.word(node, of: LocationDecision.self))
            return
        }
        let keys = ["status", "accuracy", "once", "provisional", "usedOutside", "askedForAlways", "fullAccuracy"]
        let found = try document.mapping(node, of: "keys of a location grant", keys: keys.map { [$0] })
        guard let status = found["status"]?.value else { throw document.error(node.place, "expected a status") }
        self.init(try document.word(status, of: LocationDecision.self))
        if let node = found["accuracy"]?.value { isReduced = try document.isReduced(node) }
        if let node = found["once"]?.value { once = try Validity(node, in: document) }
        if let node = found["provisional"]?.value { provisional = try Validity(node, in: document) }
        if let node = found["usedOutside"]?.value { wasUsedOutside = try document.bool(node) }
        if let node = found["askedForAlways"]?.value { wasAskedForAlways = try document.bool(node) }
        if let node = found["fullAccuracy"]?.value {
            let found = try document.mapping(
                node, of: "keys of temporary full accuracy", keys: [["purpose"]] + Validity.keys)
            guard let purpose = found["purpose"]?.value else {
                throw document.error(node.place, "expected a purpose")
            }
            fullAccuracy = FullAccuracy(
                purpose: try document.text(purpose, expected: "a purpose's key", allowsEmpty: true),
                lifetime: try Validity(found, of: node, in: document))
        }
    }
}

extension Validity {
    fileprivate static let keys = [["boot"], ["session"], ["until"]]

    fileprivate init(_ node: ConfigurationNode, in document: ConfigurationDocument) throws(ConfigurationError) {
        try self.init(
            document.mapping(node, of: "keys of a lifetime", keys: Self.keys), of: node, in: document)
    }

    fileprivate init(
        _ found: [String: ConfigurationNode.MappingEntry], of node: ConfigurationNode,
        in document: ConfigurationDocument
    ) throws(ConfigurationError) {
        guard let boot = found["boot"]?.value else { throw document.error(node.place, "expected a boot") }
        self.init(boot: try document.text(boot, expected: "a boot's identifier", allowsEmpty: true))
        if let node = found["session"]?.value {
            session = try document.text(node, expected: "a login session", allowsEmpty: true)
        }
        if let node = found["until"]?.value { until = try document.number(node, expected: "seconds since the boot") }
    }
}

extension Policy {
    /// Parses the policy file, YAML or JSON; throws the place and what was expected.
    ///
    /// An empty file allows everything. The schema is in `Sources/Permissions/README.md`.
    public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init(file: file)
        let document = try ConfigurationDocument(parsing: bytes, file: file)
        guard let root = document.root, !root.isNull else { return }
        let found = try document.mapping(root, of: "permissions", keys: Permission.allCases.map { [$0.rawValue] })
        for permission in Permission.allCases {
            guard let node = found[permission.rawValue]?.value else { continue }
            if permission == .location, case .mapping = node.value {
                try readLimits(node, in: document)
            } else if try document.word(node, of: Limit.self) == .restricted {
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

    private mutating func readLimits(_ node: ConfigurationNode, in document: ConfigurationDocument)
        throws(ConfigurationError)
    {
        let found = try document.mapping(
            node, of: "limits of location", keys: [["maximum"], ["accuracy"]])
        if let node = found["maximum"]?.value {
            isWhenInUseAtMost = try document.word(node, of: Maximum.self) == .whenInUse
        }
        if let node = found["accuracy"]?.value { isReduced = try document.isReduced(node) }
    }
}

extension ConfigurationDocument {
    private enum GrantedAccuracy: String, CaseIterable { case full, reduced }

    fileprivate func isReduced(_ node: ConfigurationNode) throws(ConfigurationError) -> Bool {
        try word(node, of: GrantedAccuracy.self) == .reduced
    }

    /// Parses one of the words of a type.
    fileprivate func word<Word: RawRepresentable & CaseIterable>(
        _ node: ConfigurationNode, of type: Word.Type
    ) throws(ConfigurationError) -> Word where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        let expected = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        let text = try text(node, expected: expected)
        guard let word = Word(rawValue: text) else { throw unknown(node, expected: expected, among: words) }
        return word
    }
}

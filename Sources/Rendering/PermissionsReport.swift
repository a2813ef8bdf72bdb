package import Readiness

/// The document `rigready.permissions/1`.
package struct PermissionsReport: Encodable {
    package struct PermissionLine: Encodable {
        package var id: String
        package var status: String
        @Nullable package var accuracy: String?
        package var from: String
        package var evidence: String
        @Nullable package var remedy: String?

        /// Whether location is granted always, but still to be confirmed; no key of the document.
        private let isProvisional: Bool

        private enum CodingKeys: CodingKey { case id, status, accuracy, from, evidence, remedy }

        init(_ permission: Permission, _ line: AuthorizationLine, _ remedies: [Remedy]) {
            id = permission.rawValue
            status = line.status
            accuracy = line.accuracy
            from = line.from
            evidence = line.evidence
            isProvisional = line.provisional == true
            remedy = remedies.commandLine
        }

        /// Whether it is granted.
        package var isAllowed: Bool { status.hasPrefix("authorized") || status == "allowedAlways" }

        /// The status in the words of a cause, with its reservations.
        package var words: String {
            let reservations = [
                accuracy == LocationAccuracy.reducedAccuracy.id ? "reduced" : nil, isProvisional ? "provisional" : nil,
            ]
            return ([statusWords] + reservations.compactMap(\.self)).joined(separator: ", ")
        }

        private var statusWords: String {
            switch status {
            case "authorized": "allowed"
            case "authorizedAlways", "allowedAlways": "allowed always"
            case "authorizedWhenInUse": "allowed while in use"
            default: Cause(id: status)?.title ?? status
            }
        }
    }

    var schema = "rigready.permissions/1"
    /// The four permissions, in the order of the contract.
    package var permissions: [PermissionLine]

    package init(_ authorizations: Authorizations) {
        let lines = AuthorizationLines(authorizations)
        let location = authorizations.location.remedies
        permissions = [
            PermissionLine(.location, lines.location, location.isEmpty ? authorizations.accuracy.remedies : location),
            PermissionLine(.motion, lines.motion, authorizations.motion.remedies),
            PermissionLine(.bluetooth, lines.bluetooth, authorizations.bluetooth.remedies),
            PermissionLine(.health, lines.health, authorizations.health.remedies),
        ]
    }
}

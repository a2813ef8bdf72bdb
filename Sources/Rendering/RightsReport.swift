package import Readiness

/// The document `rigready.rights/1`: which running units and containers have which permissions, also as a page.
package struct RightsReport: Encodable {
    /// One unit or container.
    package struct SubjectLine: Encodable {
        /// `unit` or `container`.
        package var kind: String
        package var name: String
        /// The process whose rights these are; null if its processes are in several control groups.
        @Nullable package var process: Int32?
        /// The name of the process' user; null where it is unknown.
        @Nullable package var user: String?
        /// Why nothing could be evaluated, in one clause; null if it was.
        @Nullable package var failure: String?
        /// The four permissions, in the order of the contract; empty after a failure.
        package var permissions: [PermissionsReport.PermissionLine]

        package init(kind: String, name: String, process: Int32, user: String?, _ authorizations: Authorizations) {
            (self.kind, self.name) = (kind, name)
            self.process = process
            self.user = user
            failure = nil
            permissions = PermissionsReport(authorizations).permissions
        }

        package init(kind: String, name: String, process: Int32?, failure: String) {
            (self.kind, self.name) = (kind, name)
            self.process = process
            user = nil
            self.failure = failure
            permissions = []
        }
    }

    var schema = "rigready.rights/1"
    /// The name of the machine.
    package var host: String
    /// The start of the evaluation: UTC, ISO 8601.
    package var takenAt: String
    /// The units by name, then the containers by name.
    package var subjects: [SubjectLine]

    private enum CodingKeys: CodingKey { case schema, host, takenAt, subjects }

    package init(of host: String, at takenAt: String, _ subjects: [SubjectLine]) {
        self.host = host
        self.takenAt = takenAt
        self.subjects = subjects
    }

    /// The permissions that are the columns of a table.
    package static let columns = Permission.allCases

    /// The whole page.
    package var html: String {
        let rows = subjects.map { line -> Markup.Row in
            let cells = line.permissions.map { permission -> Markup in
                "\(Markup.verdict(Mark(permission.tone), permission.words)) <small>\(permission.evidence)</small>"
            }
            let failure = line.failure.map { failure -> Markup in "\(failure)" }
            return Markup.Row("\(line.name)", ["\(line.user ?? "")"] + (failure.map { [$0] } ?? cells))
        }
        let table = Markup.table(
            "Running units and containers of \(host), and what each may use",
            ["Unit or container", "User"] + Self.columns.map(\.rawValue), rows)
        let main: Markup = """
            <main>
            <header>
            <h1>\(host)</h1>
            <p class="meta">\(takenAt)</p>
            </header>
            \(Markup.section("rights", "Permissions of units and containers", table))
            </main>
            """
        return HTMLDocument.html(
            title: "\(host): permissions of units and containers", main: main,
            footer: "rigready \(Release.version), \(schema), \(takenAt)", style: "td:last-child{width:auto}")
    }
}

extension PermissionsReport.PermissionLine {
    /// How the status is shown: a refusal as bad, and what is not known as doubtful.
    package var tone: Tone {
        if isAllowed { return .good }
        return status == "denied" || status == "restricted" ? .bad : .doubtful
    }
}

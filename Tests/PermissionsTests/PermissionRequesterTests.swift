import LocalRig
import Glibc
import Readiness
import SystemPackage
import Testing

/// Asking and recording, with a grant file and simulated answers.
@Suite struct PermissionRequesterTests {
    private static let open = "location: not-determined\nmotion: not-determined\n"

    /// The requester of a grant file.
    private func requester(
        _ path: String?, purposes: Purposes = RequestFlowTests.purposes, undecided: Permission? = nil,
        login: LoginSession = .current
    ) -> PermissionRequester {
        let file = path.map { GrantFile(FilePath($0)) }
        return PermissionRequester(
            recordingIn: file, in: login,
            decisions: { () throws(DecisionFileError) in
                Decisions(try file?.read() ?? Grants(), at: GrantContext(in: login))
            },
            access: Sample.access(), purposes: purposes, undecided: undecided)
    }

    /// Calls a body with the path of a grant file with given contents.
    private func withGrants(_ grants: String = open, _ body: (String) throws -> Void) throws {
        try withFolder { folder in
            try write(grants, to: folder + "/g.yaml")
            try body(folder + "/g.yaml")
        }
    }

    @Test func `an answer is recorded and decides how the request ends`() throws {
        try withGrants { path in
            var asked: [PermissionQuestion] = []
            let result = try requester(path).request(.motion) { question in
                asked.append(question)
                return .allow
            }
            #expect(result == .asked(.granted))
            #expect(asked == [PermissionQuestion(.motion, "To tell walking.")])
            #expect(try text(of: path).hasSuffix("location: not-determined\nmotion: allowed\n"))
            guard
                case .asked(.refused(let reason, _)) = try requester(path).request(
                    .location(always: false), asking: { _ in .deny })
            else { throw Unexpected() }
            #expect(reason == "\(path): location: denied")
        }
    }

    @Test func `a decided permission is not asked`() throws {
        try withGrants("motion: allowed\nhealth: denied\n") { path in
            let requester = requester(path)
            #expect(try requester.request(.motion, asking: mustNotAsk) == .settled(.granted))
            guard case .settled(.refused) = try requester.request(.health, asking: mustNotAsk) else {
                throw Unexpected()
            }
            #expect(try requester.step(of: .motion) == .settled(.granted))
        }
    }

    @Test func `a dismissed question leaves no record`() throws {
        try withGrants { (path) throws in
            #expect(try requester(path).request(.motion) { _ in nil } == .asked(.deferred))
            #expect(try text(of: path) == Self.open)
        }
    }

    @Test func `a second requester is busy until the first has recorded`() throws {
        try withGrants { path in
            let first = requester(path), second = requester(path)
            var inner: PermissionRequestResult?
            let outer = try first.request(.motion) { _ in
                inner = try? second.request(.location(always: false), asking: mustNotAsk)
                return .allow
            }
            #expect(inner == .busy && outer == .asked(.granted))
            // The claim is released, also after a question that was dismissed.
            #expect(try second.request(.location(always: false)) { _ in nil } == .asked(.deferred))
            #expect(try first.request(.location(always: false)) { _ in .allow } == .asked(.granted))
        }
    }

    @Test func `an answer applies only to the question that was shown`() throws {
        try withGrants { path in
            let changed = "location: when-in-use\n"
            let result = try requester(path).request(.location(always: true)) { question in
                #expect(question.kind == .locationWhenInUse)
                try? write(changed, to: path)
                return .allow
            }
            #expect(result == .superseded)
            #expect(try text(of: path) == changed)
        }
    }

    @Test func `what another program decides while the question is open holds`() throws {
        try withGrants { path in
            let result = try requester(path).request(.motion) { _ in
                try? write("motion: denied\nhealth: allowed\n", to: path)
                return .allow
            }
            guard case .asked(.refused) = result else { throw Unexpected() }
            #expect(try text(of: path) == "motion: denied\nhealth: allowed\n")
        }
        // A decision about another permission is kept with the answer.
        try withGrants { path in
            let result = try requester(path).request(.motion) { _ in
                try? write(Self.open + "health: denied\n", to: path)
                return .allow
            }
            #expect(result == .asked(.granted))
            #expect(try text(of: path).hasSuffix("motion: allowed\nhealth: denied\n"))
        }
    }

    @Test func `a grant file that becomes invalid while the question is open is not overwritten`() throws {
        try withGrants { path in
            let error = #expect(throws: PermissionRequestError.self) {
                try requester(path).request(.motion) { _ in
                    try? write("motion: perhaps\n", to: path)
                    return .allow
                }
            }
            guard case .file(let error) = error else { throw Unexpected() }
            #expect(!error.isOfWriting && error.description.hasPrefix("\(path):1:9: expected"))
            #expect(try text(of: path) == "motion: perhaps\n")
        }
    }

    @Test func `an answer that cannot be written is an error and leaves the file whole`() throws {
        try withGrants { path in
            // A folder at the temporary file's path.
            let folder = path.dropLast("g.yaml".utf8.count)
            try #require(unsafe mkdir(folder + ".g.yaml.new", 0o700) == 0)
            let error = #expect(throws: PermissionRequestError.self) {
                try requester(path).request(.motion) { _ in .allow }
            }
            guard case .file(let error) = error else { throw Unexpected() }
            #expect(error.isOfWriting && error.path == FilePath(path))
            #expect(try text(of: path) == Self.open)
        }
    }

    @Test func `without a claim on the file nothing is asked`() throws {
        let error = #expect(throws: PermissionRequestError.self) {
            try requester("/proc/none/g.yaml").request(.motion, asking: mustNotAsk)
        }
        guard case .file(let error) = error else { throw Unexpected() }
        #expect(error.isOfWriting)
        #expect(throws: PermissionRequestError.noGrantFile) {
            try requester(nil).request(.motion, asking: mustNotAsk)
        }
    }

    @Test func `an answer that the question does not offer is not recorded`() throws {
        try withGrants { path in
            let result = try requester(path).request(.motion) { _ in .once }
            #expect(result == .notOffered(.once, PermissionQuestion(.motion, "To tell walking.")))
            #expect(try text(of: path) == Self.open)
            #expect(try requester(path).request(.motion, asking: FixedPrompter(.once).answer) == .asked(.deferred))
            #expect(try requester(path).request(.motion, asking: FixedPrompter(.allow).answer) == .asked(.granted))
        }
    }

    @Test func `a missing purpose is named and nothing is asked`() throws {
        try withGrants { path in
            let requester = requester(path, purposes: Purposes([.location: "To recognise trips."]))
            let error = #expect(throws: PermissionRequestError.self) {
                try requester.request(.motion, asking: mustNotAsk)
            }
            guard case .missingPurpose(let purpose) = error else { throw Unexpected() }
            #expect(purpose.key == "motion" && purpose.appleKey == "NSMotionUsageDescription")
            #expect(throws: PermissionRequestError.missingPurpose(purpose)) { try requester.step(of: .motion) }
        }
    }

    @Test func `a permission allowed only by access is asked as undecided`() throws {
        try withGrants("health: denied\n") { path in
            #expect(try requester(path).request(.motion, asking: mustNotAsk) == .settled(.granted))
            let requester = requester(path, undecided: .motion)
            guard case .ask = try requester.step(of: .motion) else { throw Unexpected() }
            guard case .asked(.refused) = try requester.request(.motion, asking: { _ in .deny }) else {
                throw Unexpected()
            }
            #expect(try text(of: path).hasSuffix("motion: denied\nhealth: denied\n"))
            // It has a record now.
            guard case .settled(.refused) = try requester.request(.motion, asking: mustNotAsk) else {
                throw Unexpected()
            }
        }
    }

    @Test func `what is allowed once belongs to the requester's login session`() throws {
        try withGrants { path in
            let folder = path + ".sessions"
            try #require(unsafe mkdir(folder, 0o700) == 0)
            try write("ACTIVE=1\n", to: folder + "/7")
            let requester = requester(path, login: LoginSession("7", in: FilePath(folder)))
            #expect(try requester.request(.location(always: false)) { _ in .once } == .asked(.granted))
            #expect(try text(of: path).contains("session: \"7\""))
        }
    }

    private struct Unexpected: Error {}

    private func mustNotAsk(_ question: PermissionQuestion) -> PermissionAnswer? {
        Issue.record("asked: \(question.text)")
        return nil
    }
}

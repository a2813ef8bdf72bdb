internal import DriverKit
package import Readiness

/// Asks the user for permissions and records the answers, one question at a time on this machine.
package struct PermissionRequester: Sendable {
    private let file: GrantFile?
    private let login: LoginSession
    private let decisions: @Sendable () throws(DecisionFileError) -> Decisions
    private let access: Authorizations
    private let purposes: Purposes
    private let undecided: Permission?

    /// Creates a requester that records in `file`, which is nil if the user has no place for grants.
    ///
    /// `decisions` reads the current decisions, `access` is what the operating system allows, `purposes` are the app's
    /// reasons. `undecided` is a permission that counts as not determined while it has no record, so that the user is
    /// asked even if access allows it.
    package init(
        recordingIn file: GrantFile?, in login: LoginSession = .current,
        decisions: @escaping @Sendable () throws(DecisionFileError) -> Decisions, access: Authorizations,
        purposes: Purposes, undecided: Permission? = nil
    ) {
        self.file = file
        self.login = login
        self.decisions = decisions
        self.access = access
        self.purposes = purposes
        self.undecided = undecided
    }

    /// Returns the next step of a request, without asking.
    package func step(of request: PermissionRequest) throws(PermissionRequestError) -> RequestStep {
        try step(of: request, on: try read())
    }

    /// Asks for a permission if there is something to ask, and records the answer.
    ///
    /// `prompt` shows the question and returns the answer, or nil without one; it may block. No other request on the
    /// same grant file asks meanwhile. An answer counts only for the question that was shown: if other grants were
    /// recorded in the meantime, it is not recorded.
    package func request(
        _ request: PermissionRequest, asking prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(PermissionRequestError) -> PermissionRequestResult {
        guard let file else { throw .noGrantFile }
        guard let claim = try rethrowing(as: PermissionRequestError.file, try file.claimDialog()) else { return .busy }
        // Other requests may ask once this one is recorded.
        defer { withExtendedLifetime(claim) {} }
        let decisions = try read()
        let question: PermissionQuestion
        switch try step(of: request, on: decisions) {
        case .settled(let outcome): return .settled(outcome)
        case .ask(let asked), .waiting(let asked): question = asked
        }
        guard let answer = prompt(question) else { return .asked(.deferred) }
        guard question.answers.contains(answer) else { return .notOffered(answer, question) }
        let outcome = try rethrowing(
            as: PermissionRequestError.file,
            try file.update { record(answer, to: question, of: request, in: &$0, decisions) })
        return outcome.map { .asked($0) } ?? .superseded
    }

    /// Records an answer on the current record; nil if that changes the question.
    private func record(
        _ answer: PermissionAnswer, to question: PermissionQuestion, of request: PermissionRequest,
        in grants: inout Grants, _ decisions: Decisions
    ) -> RequestOutcome? {
        var decisions = decisions
        let namedFile = decisions.grants.namedFile
        decisions.grants = grants
        decisions.grants.namedFile = namedFile
        // The question may have been open for a long time.
        decisions.now = GrantContext(in: login)
        var flow = flow(decisions)
        switch try? flow.begin(request) {
        case .settled(let outcome): return outcome
        case .ask(question):
            guard let outcome = flow.answer(answer) else { return nil }
            grants = flow.grants
            grants.namedFile = nil
            return outcome
        case .ask, .waiting, nil: return nil
        }
    }

    private func flow(_ current: Decisions) -> RequestFlow {
        var current = current
        if let undecided { current.grants.leaveOpen(undecided) }
        return RequestFlow(current, access: access, purposes: purposes)
    }

    private func step(
        of request: PermissionRequest, on decisions: Decisions
    ) throws(PermissionRequestError) -> RequestStep {
        var flow = flow(decisions)
        return try rethrowing(as: PermissionRequestError.missingPurpose, try flow.begin(request))
    }

    private func read() throws(PermissionRequestError) -> Decisions {
        try rethrowing(as: PermissionRequestError.file, try decisions())
    }
}

/// The result of a request.
package enum PermissionRequestResult: Sendable, Equatable {
    /// The user was asked; with the outcome.
    case asked(RequestOutcome)
    /// There was nothing to ask; with the current status.
    case settled(RequestOutcome)
    /// Another question is open, here or in another process; the request had no effect.
    case busy
    /// The question does not offer the answer; nothing was recorded.
    case notOffered(PermissionAnswer, PermissionQuestion)
    /// Other grants were recorded while the question was open; the answer was not recorded.
    case superseded
}

/// Why a request could not be made, or its answer not be recorded.
package enum PermissionRequestError: Error, Sendable, Equatable {
    /// The user has no place for grants.
    case noGrantFile
    /// The purpose of the request is not stated.
    case missingPurpose(RequestFlow.MissingPurpose)
    /// A file of decisions cannot be read, or the grant file cannot be written.
    case file(DecisionFileError)
}

extension Grants {
    /// Sets a permission without a record to not determined.
    fileprivate mutating func leaveOpen(_ permission: Permission) {
        let isRecorded = Self.record(of: permission).map { self[keyPath: $0] != nil } ?? (location != nil)
        if !isRecorded { record(.notDetermined, about: permission) }
    }
}

internal import Configuration
internal import DriverKit
internal import Glibc
package import Permissions
internal import Readiness

extension PhoneRig {
    /// What came of a request.
    package enum Answered: Sendable, Equatable {
        /// The user was asked; how it ended.
        case asked(RequestOutcome)
        /// Nothing was to be asked; what holds.
        case settled(RequestOutcome)
        /// Another question is waiting for its answer; this request had no effect.
        case waiting
        /// The request could not be made, for this reason.
        case ignored(String)

        /// Whether the user answered.
        package var isAnswered: Bool {
            guard case .asked(let outcome) = self else { return false }
            return outcome != .deferred
        }
    }

    /// Asks the user for a permission where there is something to ask, as `RequestFlow` says.
    ///
    /// Returns at once. `then` is called on the watch's thread, after the observers were told what changed. Nothing is
    /// asked from the background, except to confirm what was used there. What keeps a request from being made (no
    /// purpose, no home, a file that cannot be written) is complained of.
    package func request(
        _ request: PermissionRequest, evenInBackground: Bool = false,
        then: (@Sendable (Answered) -> Void)? = nil
    ) {
        @Sendable func finish(_ answered: Answered) {
            if case .ignored(let reason) = answered { settings.complain("a request had no effect: \(reason)") }
            bringUpToDate { then?(answered) }
        }
        let began = Worker.start {
            finish(self.answer(to: request, evenInBackground: evenInBackground))
        }
        if !began { finish(.ignored("no thread can be started")) }
    }

    /// Location was used; from the background this makes the second question of a provisional Always due, and puts it.
    package func locationWasUsed() {
        let state = state
        guard !state.isInForeground, let grant = state.decisions.grants.location, grant.provisional != nil,
            !grant.wasUsedOutside, let file = settings.files.grants
        else { return }
        let began = Worker.start {
            let changed = try? file.update { grants in
                let before = grants
                grants.locationWasUsed(inActiveSession: false)
                return grants != before
            }
            // Whoever records it asks; the others find it recorded.
            if changed == true { self.request(.location(always: true), evenInBackground: true) }
        }
        if !began { settings.complain("no thread can be started") }
    }

    private func answer(to request: PermissionRequest, evenInBackground: Bool) -> Answered {
        guard state.isInForeground || evenInBackground else { return .ignored("this process is in the background") }
        while true {
            let isRecording = isRecording
            do throws(PermissionRequestError) {
                switch try ask(request) {
                // An app may make its next request before the claim of the last one, just answered, is released.
                case .busy where isRecording: usleep(2000)
                case .busy: return .waiting
                case .asked(let outcome): return .asked(outcome)
                case .settled(let outcome): return .settled(outcome)
                case .notOffered: return .ignored("the question has no such answer")
                case .superseded: return .ignored("the grants changed while the question was open")
                }
            } catch {
                switch error {
                case .noGrantFile: return .ignored("this user has no home folder to keep grants in")
                case .missingPurpose(let purpose): return .ignored("\(settings.configuration): \(purpose)")
                case .file(let error): return .ignored(error.description)
                }
            }
        }
    }

    private func ask(_ request: PermissionRequest) throws(PermissionRequestError) -> PermissionRequestResult {
        let reader = reader
        let requester = PermissionRequester(
            recordingIn: settings.files.grants, in: settings.login, decisions: { reader.decisions },
            access: Authorizations(access: state.inventory), purposes: reader.configuration.purposes)
        var shown: Int?
        // Only once the answer is on record, so that nobody sees it neither open nor answered.
        defer { if let shown { hide(shown) } }
        return try requester.request(request) { question in
            let number = show(question)
            shown = number
            let answer = settings.prompter.answer(to: question)
            if answer != nil { beginRecording(number) }
            return answer
        }
    }
}

internal import Configuration
internal import DriverKit
internal import Glibc
package import Permissions
internal import Readiness

extension PhoneRig {
    /// The outcome of a request.
    package enum Answered: Sendable, Equatable {
        /// The user was asked; the answer's outcome.
        case asked(RequestOutcome)
        /// Nothing had to be asked; the status in effect.
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

    /// Asks the user for a permission if there is something to ask, as `RequestFlow` decides.
    ///
    /// Returns at once. `then` is called on the watch's thread, after the observers were notified of the change.
    /// Nothing is asked from the background, except to confirm what was used there. What prevents a request (no
    /// purpose, no home folder, an unwritable file) is reported.
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

    /// Records that location was used; from the background this makes the second question of a provisional Always due,
    /// and asks it.
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
            // The process that records it asks; others find it recorded.
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
        // Only after the answer is recorded, so that it is never seen as neither open nor answered.
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

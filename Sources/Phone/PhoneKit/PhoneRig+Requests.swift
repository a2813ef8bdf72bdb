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
            !grant.wasUsedOutside, let file = settings.grants
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
        guard let file = settings.grants else { return .ignored("this user has no home folder to keep grants in") }
        var isHolder = false
        // Only once the claim is let go of.
        defer { if isHolder { isRecording = false } }
        do {
            while true {
                if let answered = try askIfFree(request, recordingIn: file, &isHolder) { return answered }
                // An app often asks the next thing as soon as it sees what was answered, which is a moment too soon.
                guard isRecording else { return .waiting }
                usleep(2000)
            }
        } catch let error as RequestFlow.MissingPurpose {
            return .ignored("\(settings.configuration): \(error)")
        } catch GrantFile.Failure.invalid(let error) {
            return .ignored(error.description)
        } catch {
            return .ignored("\(file.path): \(error)")
        }
    }

    /// Asks where nobody else does; nil while somebody does.
    private func askIfFree(
        _ request: PermissionRequest, recordingIn file: GrantFile, _ isHolder: inout Bool
    ) throws -> Answered? {
        guard let claim = try file.claimDialog() else { return nil }
        isHolder = true
        let answered = try ask(request, recordingIn: file)
        // Nobody else asks until this is answered and recorded.
        _ = claim
        return answered
    }

    private func ask(_ request: PermissionRequest, recordingIn file: GrantFile) throws -> Answered {
        let access = Authorizations(access: state.inventory)
        let decisions = reader.decisions
        let purposes = reader.configuration.purposes
        var flow = RequestFlow(decisions, access: access, purposes: purposes)
        let question: PermissionQuestion
        switch try flow.begin(request) {
        case .ask(let asked), .waiting(let asked): question = asked
        case .settled(let outcome): return .settled(outcome)
        }
        show(question)
        defer { show(nil) }
        guard let answer = settings.prompter.answer(to: question) else { return .asked(.deferred) }
        guard question.answers.contains(answer) else { return .ignored("the question has no such answer") }
        isRecording = true
        let answered = try file.record(
            answer, to: question, of: request, on: decisions, at: GrantContext(in: settings.login), access: access,
            purposes: purposes)
        return answered.map { .asked($0.outcome) } ?? .ignored("the grants changed while the question was open")
    }
}

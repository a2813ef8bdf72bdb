package import LocalRig
internal import Dispatch
internal import DriverKit
internal import Glibc
internal import Linux
internal import Readiness
internal import Synchronization

/// This rig as an app on it sees it, updated by events: authorizations, foreground, hardware.
///
/// One thread watches and calls the observers, sequentially and never under a lock. Reading never asks the user.
package final class PhoneRig: Sendable {
    /// The rig that replaces this machine in a test.
    @TaskLocal package static var substitute: PhoneRig?

    /// This process's rig, started at first use.
    package static var current: PhoneRig { substitute ?? ofProcess }

    private static let ofProcess = PhoneRig(.environment)

    private struct Inside {
        var state: PhoneState?
        var inventory: Inventory?
        var openQuestion: OpenQuestion?
        var observers: [Int: @Sendable (PhoneState) -> Void] = [:]
        var observersEver = 0
        var pending: [@Sendable () -> Void] = []
        var attachments: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    }

    /// A question that this process has asked the user.
    private final class OpenQuestion: Sendable {
        let question: PermissionQuestion
        /// Whether the user has answered, and the answer is being recorded.
        let isAnswered = Atomic(false)

        init(_ question: PermissionQuestion) { self.question = question }
    }

    package let settings: PhoneSettings
    let reader: DecisionReader
    private let inside = Mutex(Inside())
    private let watch: InventoryWatch?
    private let files: FileWatch?
    private let ready = DispatchGroup()

    package init(_ settings: PhoneSettings) {
        self.settings = settings
        reader = DecisionReader(settings)
        let watch = reader.watch()
        self.watch = watch
        files = FileWatch(reader.files) { watch?.call() }
        ready.enter()
        if files == nil { settings.complain("the files of this rig cannot be watched; changes go unreported") }
        if watch == nil || !Worker.start({ self.serve() }) { refresh(Inventory(depth: .state)) }
    }

    /// Ends the watch and its threads; the last state stays.
    package func end() {
        watch?.end()
        files?.end()
    }

    // MARK: Reading

    /// The current state; the first reader waits for the first probe.
    package var state: PhoneState {
        if let state = inside.withLock(\.state) { return state }
        _ = ready.wait(timeout: .now() + settings.timeout + 1)
        return inside.withLock(\.state) ?? reader.state(of: Inventory(depth: .state), question: nil)
    }

    /// Calls at each change, on the watch's thread, until the observation is released; not for the current state.
    package func observe(_ observer: @escaping @Sendable (PhoneState) -> Void) -> Observation {
        let number = inside.withLock { inside in
            inside.observersEver += 1
            inside.observers[inside.observersEver] = observer
            return inside.observersEver
        }
        return Observation { [weak self] in
            // What it retains is released outside the lock.
            _ = self?.inside.withLock { $0.observers.removeValue(forKey: number) }
        }
    }

    /// The one object of a type that belongs to this rig, created at first use.
    package func attachment<Attachment: AnyObject & Sendable>(
        _ type: Attachment.Type, _ make: (PhoneRig) -> Attachment
    ) -> Attachment {
        let key = ObjectIdentifier(type)
        if let found = inside.withLock({ $0.attachments[key] }) as? Attachment { return found }
        let made = make(self)
        let kept = inside.withLock { inside in
            if inside.attachments[key] == nil { inside.attachments[key] = made }
            return inside.attachments[key]
        }
        return kept as? Attachment ?? made
    }

    // MARK: Keeping up to date

    private func serve() {
        while let watch, !watch.isEnded {
            let end = Instant.now.advanced(bySeconds: secondsUntilARecordLapses)
            do throws(DriverError) {
                refresh(try watch.next(until: end))
            } catch {
                // Out of descriptors; others may be closed.
                usleep(500_000)
            }
        }
    }

    /// Reads the state again and then calls something, both on the watch's thread.
    func bringUpToDate(then call: (@Sendable () -> Void)? = nil) {
        if let call { inside.withLock { $0.pending.append(call) } }
        guard let watch, !watch.isEnded else { return refresh(nil) }
        watch.call()
    }

    /// The question to the user that this process has open now.
    package var question: PermissionQuestion? { inside.withLock(\.openQuestion)?.question }

    private func refresh(_ inventory: Inventory?) {
        // Callers that request an up-to-date state get one that was read after the call.
        let (found, question, before, calls) = inside.withLock { inside in
            if let inventory { inside.inventory = inventory }
            defer { if inside.inventory != nil { inside.pending = [] } }
            return (inside.inventory, inside.openQuestion?.question, inside.state, inside.pending)
        }
        guard let found else { return }
        let state = reader.state(of: found, question: question)
        let observers = inside.withLock { inside in
            inside.state = state
            return inside.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        if before == nil { ready.leave() }
        if let before, state.isChanged(since: before) {
            for observer in observers { observer(state) }
        }
        for call in calls { call() }
    }

    /// Seconds until a recorded decision expires, an hour at most.
    private var secondsUntilARecordLapses: Double {
        guard let state = inside.withLock(\.state), let location = state.decisions.grants.location else { return 3600 }
        let ends = [location.once?.until, location.provisional?.until, location.fullAccuracy?.lifetime.until]
        let now = GrantContext(in: settings.login).uptime
        // What has expired since the state was read is due immediately; slightly late rather than slightly early.
        let due = ends.compactMap(\.self).filter { $0 > state.decisions.now.uptime }.min()
        return min(max(0, (due ?? .infinity) - now) + 0.001, 3600)
    }
}

/// A registration for changes; ends when released.
package final class Observation: Sendable {
    private let cancelled: @Sendable () -> Void
    private let ended = Mutex(false)

    /// Makes a registration; `cancelled` is called once, when it ends.
    package init(_ cancelled: @escaping @Sendable () -> Void) { self.cancelled = cancelled }

    deinit { cancel() }

    package var isOver: Bool { ended.withLock(\.self) }

    /// Ends the calls; one that is running is not waited for.
    package func cancel() {
        if !ended.withLock({ exchange(&$0, with: true) }) { cancelled() }
    }
}

extension PhoneRig {
    package enum Answered: Sendable, Equatable {
        /// The user was asked; the answer's outcome.
        case asked(RequestOutcome)
        /// Nothing had to be asked; the status in effect.
        case settled(RequestOutcome)
        /// Another question is waiting for its answer; this request had no effect.
        case waiting
        /// The request could not be made, for this reason.
        case ignored(String)

        /// Whether nobody could be asked, nobody answered, or the operating system's right is unknown.
        package var isWithoutAnswer: Bool {
            switch self {
            case .asked(.deferred), .asked(.undetermined), .settled(.undetermined), .ignored: true
            case .asked, .settled, .waiting: false
            }
        }
    }

    /// Asks the user for a permission if there is something to ask, as `RequestFlow` decides.
    ///
    /// Returns immediately. `opened` is called when a question opens, before anyone can answer it. `then` is called on
    /// the watch's thread, after the observers were notified of the change. Nothing is asked from the background,
    /// except to confirm what was used there; what prevents a request is reported.
    package func request(
        _ request: PermissionRequest, evenInBackground: Bool = false, then: (@Sendable (Answered) -> Void)? = nil,
        opened: (@Sendable () -> Void)? = nil
    ) {
        @Sendable func finish(_ answered: Answered) {
            if case .ignored(let reason) = answered { settings.complain("a request had no effect: \(reason)") }
            bringUpToDate { then?(answered) }
        }
        let began = Worker.start { finish(self.answer(to: request, evenInBackground: evenInBackground, opened)) }
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
                guard let grant = grants.location, grant.provisional != nil else { return false }
                grants.location?.wasUsedOutside = true
                return !grant.wasUsedOutside
            }
            // The process that records it asks; others find it recorded.
            if changed == true { self.request(.location(always: true), evenInBackground: true) }
        }
        if !began { settings.complain("no thread can be started") }
    }

    /// How long a request waits for another, in this or another process, that shows no question here.
    private static let claimPatience = Duration.milliseconds(500)

    private func answer(
        to request: PermissionRequest, evenInBackground: Bool, _ opened: (@Sendable () -> Void)?
    ) -> Answered {
        guard state.isInForeground || evenInBackground else { return .ignored("this process is in the background") }
        let patience = Instant.now.advanced(by: Self.claimPatience)
        while true {
            let open = inside.withLock(\.openQuestion)
            // A request holds the claim while it asks; one that asks nothing, and one just answered, release it soon.
            let isReleasedSoon = open.map { $0.isAnswered.load(ordering: .acquiring) } ?? (Instant.now < patience)
            do throws(PermissionRequestError) {
                switch try ask(request, opened) {
                case .busy where isReleasedSoon: usleep(2000)
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

    private func ask(
        _ request: PermissionRequest, _ opened: (@Sendable () -> Void)?
    ) throws(PermissionRequestError) -> PermissionRequestResult {
        let reader = reader
        let requester = PermissionRequester(
            recordingIn: settings.files.grants, in: settings.login, decisions: { reader.rig.decisions },
            access: Authorizations(access: state.inventory), purposes: state.configuration.purposes)
        var shown: OpenQuestion?
        // Only after the answer is recorded, so that it is never seen as neither open nor answered; a later one stays.
        // Observers are told when the request ends.
        defer { inside.withLock { if $0.openQuestion === shown { $0.openQuestion = nil } } }
        return try requester.request(request) { question in
            // A question that nobody can see is not open.
            guard settings.prompter.canAsk(question) else { return nil }
            let open = OpenQuestion(question)
            shown = open
            inside.withLock { $0.openQuestion = open }
            bringUpToDate()
            opened?()
            let answer = settings.prompter.answer(to: question)
            open.isAnswered.store(answer != nil, ordering: .releasing)
            return answer
        }
    }
}

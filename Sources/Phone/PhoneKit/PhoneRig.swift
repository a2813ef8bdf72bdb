internal import Linux
internal import Dispatch
internal import DriverKit
internal import Glibc
internal import Permissions
internal import Readiness
internal import Probing
internal import Synchronization
internal import SystemPackage

/// This rig as an app on it sees it, updated by events: what the app may do, whether it is in the foreground, what
/// hardware there is.
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
        var questionsEver = 0
        var observers: [Int: @Sendable (PhoneState) -> Void] = [:]
        var observersEver = 0
        /// Called once the state is up to date.
        var pending: [@Sendable () -> Void] = []
        var attachments: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        var isEnded = false
    }

    /// A question that this process has asked the user.
    private struct OpenQuestion {
        let number: Int
        let question: PermissionQuestion
        /// Whether the user has answered, and the answer is being recorded.
        var isAnswered = false
    }

    /// Its settings.
    package let settings: PhoneSettings
    let reader: DecisionReader
    private let inside = Mutex(Inside())
    private let watch: InventoryWatch?
    private let files = Mutex<FileWatch?>(nil)
    private let ready = DispatchGroup()

    /// Starts to watch a rig.
    package init(_ settings: PhoneSettings) {
        self.settings = settings
        reader = DecisionReader(settings)
        watch = try? InventoryWatch(settings.rig, depth: .state, limit: ProbeLimit(.seconds(settings.timeout)))
        ready.enter()
        let watch = watch
        let watched = FileWatch(reader.files) { watch?.call() }
        files.withLock { $0 = watched }
        if watch == nil || watched == nil { settings.complain("this rig cannot be watched; changes go unreported") }
        guard watch != nil, Worker.start({ self.serve() }) else {
            refresh(Inventory(depth: .state))
            return
        }
    }

    /// Ends the watch and its threads; the last state stays.
    package func end() {
        inside.withLock { $0.isEnded = true }
        watch?.end()
        files.withLock { $0?.end() }
    }

    // MARK: Reading

    /// The current state; the first reader waits for the first probe.
    package var state: PhoneState {
        if let state = inside.withLock(\.state) { return state }
        _ = ready.wait(timeout: .now() + settings.timeout + 1)
        return inside.withLock(\.state) ?? reader.state(of: Inventory(depth: .state), question: nil)
    }

    /// Calls at each change, on the watch's thread, until the observation is released; not for the current state.
    package func observe(_ tell: @escaping @Sendable (PhoneState) -> Void) -> Observation {
        let number = inside.withLock { inside in
            inside.observersEver += 1
            inside.observers[inside.observersEver] = tell
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
            let kept = inside.attachments[key] ?? made
            inside.attachments[key] = kept
            return kept
        }
        return kept as? Attachment ?? made
    }

    // MARK: Keeping up to date

    private func serve() {
        while !inside.withLock(\.isEnded) {
            let end = Instant.now.advanced(bySeconds: secondsUntilARecordLapses)
            do throws(DriverError) {
                refresh(try watch?.next(until: end))
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

    /// Whether an answer of this process's user is being recorded.
    var isRecording: Bool { inside.withLock { $0.openQuestion?.isAnswered == true } }

    /// Records that a question is open; returns its number.
    func show(_ question: PermissionQuestion) -> Int {
        defer { bringUpToDate() }
        return inside.withLock { inside in
            inside.questionsEver += 1
            inside.openQuestion = OpenQuestion(number: inside.questionsEver, question: question)
            return inside.questionsEver
        }
    }

    /// Records that a question is answered.
    func beginRecording(_ number: Int) {
        inside.withLock { if $0.openQuestion?.number == number { $0.openQuestion?.isAnswered = true } }
    }

    /// Removes a question; a later one stays.
    func hide(_ number: Int) {
        inside.withLock { if $0.openQuestion?.number == number { $0.openQuestion = nil } }
        bringUpToDate()
    }

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
            for tell in observers { tell(state) }
        }
        for call in calls { call() }
    }

    /// Seconds until a recorded decision expires, an hour at most.
    private var secondsUntilARecordLapses: Double {
        guard let state = inside.withLock(\.state), let location = state.decisions.grants.location else { return 3600 }
        let ends = [location.once?.until, location.provisional?.until, location.fullAccuracy?.lifetime.until]
        let now = GrantContext(in: settings.login).uptime
        // What has expired since the state was read is due at once; slightly late rather than slightly early.
        let due = ends.compactMap(\.self).filter { $0 > state.decisions.now.uptime }.min()
        return min(max(0, (due ?? .infinity) - now) + 0.001, 3600)
    }
}

/// A registration for changes; ends when released.
package final class Observation: Sendable {
    private let cancelled: @Sendable () -> Void
    private let isOver = Mutex(false)

    init(_ cancelled: @escaping @Sendable () -> Void) { self.cancelled = cancelled }

    deinit { cancel() }

    /// Ends the calls; one that is running is not waited for.
    package func cancel() {
        let first = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if first { cancelled() }
    }
}

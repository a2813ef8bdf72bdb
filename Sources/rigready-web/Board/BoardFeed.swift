internal import DriverKit
package import LocalRig
internal import Rendering
internal import Synchronization

/// Watches a rig on one thread for all viewers, and reads its signals while there are any.
///
/// Without viewers it waits for the kernel and for peers, and for nothing else.
package final class BoardFeed: Sendable {
    /// The most viewers at a time, counted separately for the rig and the fleet, and for guarded and open access.
    ///
    /// Open access needs no permission, so it must not use up the places of guarded access.
    package static let viewerLimit = 24
    private static let changeLimit = 12

    private struct State {
        var rig: LocalRig
        var latest: Assessment?
        var snapshot: BoardSnapshot?
        var changes: [String] = []
        var viewers: [ObjectIdentifier: BoardViewer] = [:]
        var signals: SignalFeed?
    }

    private let watch: AssessmentWatch
    private let readers = LiveSignals.Readers()
    private let state: Mutex<State>
    private let linksFleet: Bool
    private let complain: @Sendable (String) -> Void

    /// Starts to watch; `resample` (seconds) has every sensor read again that often, nil never.
    ///
    /// `linksFleet` has the page lead to the fleet's. `complain` receives a line for what does not stop the watch.
    package init(
        _ rig: LocalRig, resample: Double?, linksFleet: Bool = false, complain: @escaping @Sendable (String) -> Void
    ) throws(LocalRigError) {
        self.linksFleet = linksFleet
        watch = try AssessmentWatch(rig, resample: resample)
        state = Mutex(State(rig: rig))
        self.complain = complain
    }

    /// Follows the rig until the watch ends; blocks.
    ///
    /// `begin` is called once there is a first snapshot.
    package func run(_ begin: () -> Void = {}) throws {
        while !watch.isEnded {
            let soon = Instant.now.advanced(bySeconds: 86_400)
            guard let change = try watch.next(until: soon, complain: complain) else { continue }
            show(change)
            if change.previous == nil { begin() }
        }
    }

    private func show(_ change: AssessmentChange) {
        // With its date, since the page stays as it is until the next change.
        let time = RigIdentity.now.timeWords()
        let line = change.previous == nil ? change.assessment.tallyWords.text : change.differences.summary
        let (changes, number) = state.withLock { state in
            state.changes = Array((["\(time) \(line)"] + state.changes).prefix(Self.changeLimit))
            return (state.changes, (state.snapshot?.number ?? 0) + 1)
        }
        let snapshot = BoardSnapshot(change.assessment, number: number, changes: changes, linksFleet: linksFleet)
        let viewers = state.withLock { state in
            state.latest = change.assessment
            state.snapshot = snapshot
            return Array(state.viewers.values)
        }
        for viewer in viewers { viewer.show(snapshot.event) }
        followSignals()
    }

    /// The rig as it is; nil until it was probed.
    package var snapshot: BoardSnapshot? { state.withLock(\.snapshot) }

    /// Has the configuration and the decisions read again; from any thread.
    package func readFiles() { watch.readFiles() }

    /// Ends the watch, from any thread.
    package func end() { watch.end() }

    // MARK: Viewers

    /// Adds a viewer, who receives the current state immediately; nil if there are too many.
    package func addViewer(isGuarded: Bool = false) -> BoardViewer? {
        let viewer = BoardViewer(isGuarded: isGuarded)
        let isAdded = state.withLock { state in
            let others = state.viewers.values.count { $0.isGuarded == isGuarded }
            guard others < Self.viewerLimit else { return false }
            state.viewers[ObjectIdentifier(viewer)] = viewer
            if let snapshot = state.snapshot { viewer.show(snapshot.event) }
            return true
        }
        guard isAdded else { return nil }
        followSignals()
        return viewer
    }

    /// Removes a viewer; after the last one no signal is read any more.
    package func remove(_ viewer: BoardViewer) {
        viewer.end()
        state.withLock { $0.viewers[ObjectIdentifier(viewer)] = nil }
        followSignals()
    }

    /// Starts, ends or changes the reading of signals, by who looks and by what is there.
    private func followSignals() {
        let ended = state.withLock { state -> SignalFeed? in
            let wanted =
                state.viewers.isEmpty ? [] : state.latest.map { LiveSignals.sensors(of: state.rig, in: $0) } ?? []
            let names = wanted.map(\.signalName)
            guard names != state.signals?.names ?? [] else { return nil }
            let before = state.signals
            state.signals = nil
            if wanted.isEmpty { return before }
            do throws(DriverError) {
                state.signals = try SignalFeed(state.rig, of: wanted, by: readers) { [weak self] in self?.send($0) }
            } catch {
                complain("the signals cannot be read: \(error)")
            }
            return before
        }
        ended?.end()
    }

    private func send(_ signals: String) {
        for viewer in state.withLock({ Array($0.viewers.values) }) { viewer.add(signals) }
    }
}

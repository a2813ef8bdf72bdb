package import DriverKit
internal import Linux
public import Readiness
internal import Synchronization

/// A change of a watched rig.
public struct AssessmentChange: Sendable {
    /// The rig as it is now.
    public var assessment: Assessment
    /// The assessment before it; nil at the first.
    public var previous: Assessment?
    /// What changed since the previous assessment; empty at the first.
    public var differences: [Difference]
}

/// Watches a rig: assesses it once, and again when a driver reports a change or one of its files is edited.
package final class AssessmentWatch: Sendable {
    private struct State {
        var rig: LocalRig
        var latest: Assessment?
        /// Whether the files are to be read again, edited or not.
        var isOutdated = false
    }

    private let resampling: Assessment.Resampling
    private let inventories: InventoryWatch
    private let files: FileWatch?
    private let state: Mutex<State>

    /// Starts to watch; `resample` (seconds) has every sensor read again that often, nil never.
    ///
    /// A recording holds each answer once: its sensors are read once in any case.
    package init(_ rig: LocalRig, resample: Double? = nil) throws(LocalRigError) {
        resampling = resample.map { .every(seconds: $0) } ?? .off
        state = Mutex(State(rig: rig))
        let inventories = try rig.watchInventory(resample: rig.recording == nil ? resample : nil)
        self.inventories = inventories
        files = FileWatch(rig.files) { inventories.call() }
        // Edited since the rig read them, before anything watched them.
        if files?.isEdited(since: rig.readAt) == true { state.withLock { $0.isOutdated = true } }
    }

    /// Whether the watch has ended.
    package var isEnded: Bool { inventories.isEnded }

    /// Returns the next change, the first assessment immediately; nil at the deadline or once the watch has ended.
    ///
    /// Blocks. `complain` receives a line if an edited file is not valid: its previous contents remain in effect.
    /// `observe` receives every assessment, also one that is no change but for its readings.
    package func next(
        until deadline: Instant, complain: (String) -> Void = { _ in }, observe: (Assessment) -> Void = { _ in }
    ) throws(LocalRigError) -> AssessmentChange? {
        while let inventory = try LocalRigError.wrapping(.internalFault, { try inventories.next(until: deadline) }) {
            if files?.takeChange() == true || state.withLock({ $0.isOutdated }) { reload(complain) }
            let change = state.withLock { state -> AssessmentChange? in
                let assessment = state.rig.evaluate(inventory, resampling: resampling)
                observe(assessment)
                defer { state.latest = assessment }
                let comparison = state.latest.map { Comparison(before: $0, after: assessment) }
                if comparison?.isEmpty == true { return nil }
                return AssessmentChange(
                    assessment: assessment, previous: state.latest, differences: comparison?.differences ?? [])
            }
            if let change { return change }
        }
        return nil
    }

    /// Has the files read again, although no edit was seen; from any thread.
    package func readFiles() {
        state.withLock { $0.isOutdated = true }
        inventories.call()
    }

    /// Ends the watch, from any thread: a waiting `next` returns nil.
    package func end() {
        inventories.end()
        files?.end()
    }

    /// Reads edited files again; a file that is being edited may be invalid for a moment.
    private func reload(_ complain: (String) -> Void) {
        state.withLock { $0.isOutdated = false }
        do throws(LocalRigError) {
            let rig = try LocalRig(state.withLock(\.rig.options))
            state.withLock { $0.rig = rig }
        } catch {
            complain("\(error); its previous contents remain in effect")
        }
    }
}

extension LocalRig {
    /// The assessment at each change, the first immediately, for a duration; a slow reader gets the newest one only.
    ///
    /// It ends after the duration, or with the task that reads it.
    public func changes(for duration: Duration) -> AsyncThrowingStream<AssessmentChange, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            do {
                let watch = try AssessmentWatch(self)
                let end = Instant.now.advanced(bySeconds: duration.seconds)
                continuation.onTermination = { _ in watch.end() }
                let began = Worker.start {
                    do {
                        while let change = try watch.next(until: end) { continuation.yield(change) }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                    watch.end()
                }
                if !began { throw LocalRigError(.internalFault, "no thread can be started") }
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }
}

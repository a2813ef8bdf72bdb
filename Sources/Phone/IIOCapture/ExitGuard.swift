internal import DriverKit
internal import Glibc
internal import Synchronization

/// Restores what captures have set if the process calls `exit` while they run.
///
/// A buffer that is left enabled continues without a reader. A killed process leaves it so; the next capture takes it
/// over.
enum ExitGuard {
    private struct State {
        var runs: [ObjectIdentifier: CaptureRun] = [:]
        var isArmed = false
    }
    private static let state = Mutex(State())
    /// The time limit at exit, in seconds.
    private static let patience = 3.0

    static func add(_ run: CaptureRun) {
        state.withLock { state in
            state.runs[ObjectIdentifier(run)] = run
            guard !state.isArmed else { return }
            state.isArmed = atexit { ExitGuard.leave() } == 0
        }
    }

    static func remove(_ run: CaptureRun) {
        _ = state.withLock { $0.runs.removeValue(forKey: ObjectIdentifier(run)) }
    }

    private static func leave() {
        let runs = state.withLock { Array($0.runs.values) }
        for run in runs { run.stop() }
        let deadline = Instant.now.advanced(bySeconds: patience)
        for run in runs { run.end.wait(until: deadline) }
    }
}

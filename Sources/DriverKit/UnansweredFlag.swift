internal import Synchronization

/// Whether a worker asked what the rig never answered.
///
/// Live, such a question holds its thread until the crew gives it up. A replayed world holds nobody: it throws
/// `unanswered`, and marks here that the thread would have been held, whatever the driver makes of the error.
package final class UnansweredFlag: Sendable {
    /// That of the worker whose thread this is.
    @TaskLocal package static var current: UnansweredFlag?

    private let isMet = Atomic(false)

    package init() {}

    /// Marks that a question of this thread is never answered.
    package func meet() { isMet.store(true, ordering: .relaxed) }

    /// Whether one was met since this was asked last.
    package func take() -> Bool { isMet.exchange(false, ordering: .relaxed) }
}

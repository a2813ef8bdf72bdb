import Foundation
public import Testing

/// Runs a test on threads of its own.
///
/// Tests share as many threads as there are processors. One that waits for other programs would keep one of them from those
/// that compute.
public struct ThreadTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether the tests of a suite are concerned.
    public var isRecursive: Bool { true }

    /// Concerns a test as a whole: its cases would wait for their turn among those of all tests, and the longest would end alone.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ThreadTrait? {
        testCase == nil && !test.isSuite ? self : nil
    }

    /// Runs the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
    }
}

extension Trait where Self == ThreadTrait {
    /// A test that waits for other programs, and therefore runs on threads of its own.
    ///
    /// Not for one that starts unstructured tasks: these have their turn among those of all tests.
    public static var waits: Self { ThreadTrait() }
}

/// Runs each piece of a task on a new thread.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

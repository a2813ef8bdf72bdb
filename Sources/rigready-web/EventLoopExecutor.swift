#if Web
    import NIOCore

    /// Runs tasks on the thread of an event loop.
    ///
    /// The default executor has threads of its own, and wakes once a second to count them.
    final class EventLoopExecutor: TaskExecutor {
        private let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif

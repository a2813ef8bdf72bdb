internal import Glibc
internal import SystemPackage

/// A thread that nobody joins: one that the kernel never lets return costs nothing but itself.
package enum Worker {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread; false where the system has none to give.
    package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run))
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            unsafe body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

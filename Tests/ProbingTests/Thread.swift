import Glibc

enum Thread {
    static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Runs a body aside; nobody waits for it.
    static func start(_ body: @escaping @Sendable () -> Void) { Task.detached { body() } }
}

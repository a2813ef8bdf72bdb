import DriverKit
import Glibc

enum Thread {
    static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Runs a body on another thread that is not waited for.
    static func start(_ body: @escaping @Sendable () -> Void) { _ = Worker.start(body) }
}

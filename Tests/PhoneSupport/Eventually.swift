internal import DriverKit
internal import Glibc

/// Waits until a condition is met; the ten seconds are for an overloaded machine, not a measurement.
package func eventually(_ seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Instant.now.advanced(bySeconds: seconds)
    while try !condition() {
        if Instant.now > deadline { return false }
        usleep(5_000)
    }
    return true
}

/// The same for an asynchronous test: it yields its thread, which the awaited work may need.
package func soon(_ seconds: Double = 20, _ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = Instant.now.advanced(bySeconds: seconds)
    while try !condition() {
        if Instant.now > deadline { return false }
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return true
}

/// Removes an empty folder; returns whether there was one.
package func removeFolder(_ path: String) -> Bool { unsafe rmdir(path) == 0 }

/// Removes a file; returns whether there was one.
package func unlinkFile(_ path: String) -> Bool { unsafe unlink(path) == 0 }

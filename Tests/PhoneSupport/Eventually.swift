internal import DriverKit
internal import Glibc

/// Waits until something holds; the ten seconds are for a machine at its knees, and no measure of anything.
package func eventually(_ seconds: Double = 10, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Instant.now.advanced(bySeconds: seconds)
    while try !condition() {
        if Instant.now > deadline { return false }
        usleep(5_000)
    }
    return true
}

/// The same for a test that is a task itself: it leaves its thread to others, which may be what it waits for.
package func soon(_ seconds: Double = 20, _ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = Instant.now.advanced(bySeconds: seconds)
    while try !condition() {
        if Instant.now > deadline { return false }
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return true
}

/// Removes an empty folder; whether there was one.
package func removeFolder(_ path: String) -> Bool { unsafe rmdir(path) == 0 }

/// Removes a file; whether there was one.
package func unlinkFile(_ path: String) -> Bool { unsafe unlink(path) == 0 }

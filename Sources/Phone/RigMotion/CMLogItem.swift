public import Foundation

/// A measurement with its time.
open class CMLogItem: NSObject, @unchecked Sendable {
    // Immutable, so any thread may read it.
    /// Seconds since boot, on the clock of `ProcessInfo.systemUptime`.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) {
        self.timestamp = timestamp
        super.init()
    }
}

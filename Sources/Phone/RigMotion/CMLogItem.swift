public import Foundation

/// Something that was measured at a moment.
open class CMLogItem: NSObject, @unchecked Sendable {
    // Never changes, so any thread may read it.
    /// Seconds since boot, on the clock of `ProcessInfo.systemUptime`.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) {
        self.timestamp = timestamp
        super.init()
    }
}

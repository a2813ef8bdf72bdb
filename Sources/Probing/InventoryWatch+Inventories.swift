internal import DriverKit
public import Readiness

extension InventoryWatch {
    /// The inventory after each probe, the first at once; a slow reader gets the newest, and no backlog.
    ///
    /// Ends with the watch; a reader that is cancelled ends the watch. Replaces `next`: a watch has one reader.
    public var inventories: AsyncStream<Inventory> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.onTermination = { _ in self.end() }
            let began = Worker.start {
                while !self.isEnded {
                    guard let inventory = try? self.next(until: Instant.now.advanced(bySeconds: 3600)) else { continue }
                    continuation.yield(inventory)
                }
                continuation.finish()
            }
            if !began { continuation.finish() }
        }
    }
}

/// A message of a topic, to be sent or as it came.
struct MQTTMessage: Sendable, Hashable {
    var topic: String
    /// The content; empty if it was larger than the receiver's bound.
    var payload: [UInt8]
    /// Whether it is one that the broker kept, and not one that was published just now.
    var isRetained = false
    /// The number of bytes that were sent.
    var size: Int

    init(topic: String, payload: [UInt8], isRetained: Bool = false, size: Int? = nil) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.size = size ?? payload.count
    }
}

internal import DriverKit

/// The questions of readers that a rig has still to answer.
///
/// Anybody can have sent them, so each is bounded, and so is the number of answers.
struct PendingAsks {
    /// The most answers in a second: as many readers may ask at one moment.
    static let limit = 256
    /// The length of a reader's word, in bytes.
    private static let length = 8...32
    /// The digits of a hexadecimal number, which have no meaning in a topic.
    private static let digits = "0123456789abcdef".utf8

    private var words: [String] = []
    private var given: [Instant] = []

    var isEmpty: Bool { words.isEmpty }

    /// Takes a question, unless it is none, was kept by the broker, or is one too many.
    mutating func take(_ message: MQTTMessage) {
        guard !message.isRetained, message.payload.count == message.size, Self.length ~= message.size,
            message.payload.allSatisfy(Self.digits.contains), words.count < Self.limit
        else { return }
        let word = String(decoding: message.payload, as: UTF8.self)
        if !words.contains(word) { words.append(word) }
    }

    /// Returns the words to answer now, and forgets the others: whoever still waits asks again.
    mutating func takeWords(at now: Instant) -> [String] {
        given.removeAll { $0.seconds(to: now) >= 1 }
        let chosen = Array(words.prefix(Self.limit - given.count))
        given += chosen.map { _ in now }
        words = []
        return chosen
    }
}

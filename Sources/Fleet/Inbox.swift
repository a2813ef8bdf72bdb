internal import CMosquitto
internal import Readiness

/// What libmosquitto's functions for events leave for the thread that called it.
@safe
final class Inbox {
    /// The broker's answer to CONNECT; 0 is acceptance.
    var answer: CInt?
    /// The last error in the library's log, which alone has OpenSSL's own words.
    var failure: String?
    var packets: [MQTTConnection.Packet] = []
    /// The largest payload that is kept.
    var messageLimit = 0

    private static let errorLevel = CInt(MOSQ_LOG_ERR)

    private static func at(_ context: UnsafeMutableRawPointer?) -> Inbox? {
        unsafe context.map { unsafe Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
    }

    static let log: LibMosquitto.LogHandler = { _, context, level, line in
        guard level == errorLevel, let line = unsafe line else { return }
        unsafe at(context)?.note(unsafe String(cString: line))
    }

    static let connected: LibMosquitto.NumberHandler = { _, context, answer in unsafe at(context)?.answer = answer }

    static let acknowledged: LibMosquitto.NumberHandler = { _, context, identifier in
        unsafe at(context)?.packets.append(.acknowledged(identifier))
    }

    static let subscribed: LibMosquitto.GrantHandler = { _, context, identifier, count, grants in
        // 128 is a refusal.
        let isGranted = unsafe count > 0 && (grants.map { unsafe $0[0] < 128 } ?? false)
        unsafe at(context)?.packets.append(.subscribed(identifier, isGranted: isGranted))
    }

    static let unsubscribed: LibMosquitto.NumberHandler = { _, context, identifier in
        unsafe at(context)?.packets.append(.unsubscribed(identifier))
    }

    static let received: LibMosquitto.MessageHandler = { _, context, message in
        guard let inbox = unsafe at(context), let message = unsafe message else { return }
        let size = unsafe max(0, Int(message.pointee.payloadlen))
        guard let topic = unsafe message.pointee.topic else { return }
        let bytes = unsafe Array(
            UnsafeRawBufferPointer(start: message.pointee.payload, count: size <= inbox.messageLimit ? size : 0))
        let isRetained = unsafe message.pointee.retain
        let name = unsafe String(cString: topic)
        inbox.packets.append(
            .message(MQTTMessage(topic: name, payload: bytes, isRetained: isRetained, size: size)))
    }

    /// Keeps the more telling one of two lines: libmosquitto's own sentence, before OpenSSL's code.
    private func note(_ line: String) {
        let line = String(line.singleLine.prefix(200))
        failure = failure.map { $0.hasPrefix("Error: ") || $0.count > 400 ? $0 : "\($0); \(line)" } ?? line
    }
}

internal import DriverKit
internal import Linux
internal import Synchronization
internal import SystemPackage

/// One request to a libiio context, and the frame that carries it.
///
/// | frame | answer |
/// | --- | --- |
/// | `xml` | the context's description, as libiio writes it |
/// | `read DEVICE - ATTRIBUTE` | the value of an attribute of the device |
/// | `read DEVICE in:CHANNEL ATTRIBUTE` | the value of an attribute of an input channel; `out:` for an output |
///
/// Words are separated by one space and contain none. The answer is one frame, or the error of the channel's `receive`.
enum RemoteRequest: Sendable, Equatable {
    case description
    case read(device: String, ContextDescription.Attribute)

    var frame: [UInt8] {
        switch self {
        case .description: return Array("xml".utf8)
        case .read(let device, let attribute):
            let channel = attribute.channel.map { "\(attribute.isOutput ? "out" : "in"):\($0)" } ?? "-"
            return Array("read \(device) \(channel) \(attribute.name)".utf8)
        }
    }

    /// Reads a frame sent to a context; throws `malformed` for anything else.
    init(_ frame: [UInt8], to uri: String) throws(DriverError) {
        func malformed() -> DriverError {
            DriverError(.malformed, subject: uri, detail: "no request: \(quoted(frame))")
        }
        let words = String(decoding: frame, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        if words == ["xml"] {
            self = .description
            return
        }
        guard words.count == 4, words[0] == "read", words.allSatisfy({ !$0.isEmpty }) else { throw malformed() }
        var attribute = ContextDescription.Attribute(name: String(words[3]))
        if words[2] != "-" {
            let parts = words[2].split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0] == "in" || parts[0] == "out" else { throw malformed() }
            attribute.channel = String(parts[1])
            attribute.isOutput = parts[0] == "out"
        }
        self = .read(device: String(words[1]), attribute)
    }
}

/// An `xml:` context: a file with a context's description, which holds no values.
final class ContextFileChannel: Channel {
    private let uri: String
    private let description: [UInt8]
    private let request = Mutex<RemoteRequest?>(nil)

    init(_ uri: String) throws(DriverError) {
        self.uri = uri
        description = try LiveWorld(drivers: []).contents(
            of: FilePath(String(uri.dropFirst("xml:".count))), limit: ContextDescription.byteLimit)
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        let asked = try RemoteRequest(frame, to: uri)
        request.withLock { $0 = asked }
    }

    /// The description; ENOSYS for every value, as in libiio.
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        switch request.withLock({ $0.take() }) {
        case .description where description.count <= limit: return description
        case .description:
            throw DriverError(.malformed, subject: uri, detail: "a description of \(description.count) bytes")
        case .read(let device, let attribute):
            throw DriverError(errno: .noFunction, subject: "\(uri) \(device) \(attribute.name)")
        case nil: throw DriverError(.timedOut, subject: uri, detail: "nothing was asked")
        }
    }

    /// Does nothing: no call waits.
    func cancel() {}
}

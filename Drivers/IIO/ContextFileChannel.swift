internal import Linux
internal import DriverKit
internal import Synchronization
internal import SystemPackage

/// An `xml:` context: a file with a context's description, which holds no values.
final class ContextFileChannel: Channel {
    private let uri: String
    private let description: [UInt8]
    private let request = Mutex<RemoteRequest?>(nil)

    /// Reads the file, which is at most `ContextDescription.byteLimit` long.
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

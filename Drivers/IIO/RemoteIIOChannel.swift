public import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Opens a libiio context for the live world.
///
/// `ip:` is first asked for its version over a connection of our own: libiio waits five seconds whatever the deadline,
/// does not tell which port refused, and writes to standard error. Throws `unsupported` where libiio is missing,
/// `timedOut` where the peer says nothing, the peer's errno, and ENOENT or EINVAL for a file that is none.
public func openIIOChannel(_ uri: String, until deadline: Instant) throws(DriverError) -> any Channel {
    guard let library = LibIIO() else {
        throw DriverError(.unsupported, subject: uri, detail: "libiio is not installed (libiio.so.0)")
    }
    if let address = RemoteAddress(uri) { try greet(address, uri, until: deadline) }
    if uri.hasPrefix("xml:") { try check(FilePath(String(uri.dropFirst(4))), uri) }
    return try RemoteIIOChannel(uri, library, until: deadline)
}

/// Asks iiod for its version, as libiio would first.
private func greet(_ address: RemoteAddress, _ uri: String, until deadline: Instant) throws(DriverError) {
    let channel: DescriptorChannel
    do throws(DriverError) {
        channel = try .connect(host: address.host, port: address.port, subject: uri, until: deadline)
    } catch {
        // libiio resolves names of the local link by itself.
        if error.errno == nil && error.code == .refused && address.host.hasSuffix(".local") { return }
        throw error
    }
    var said: [UInt8] = []
    do throws(DriverError) {
        try channel.send(Array("VERSION\r\n".utf8), until: deadline)
        while said.count < 64, !said.contains(UInt8(ascii: "\n")) {
            said += try channel.receive(limit: 64, until: deadline)
        }
        try? channel.send(Array("EXIT\r\n".utf8), until: deadline)
    } catch {
        var error = error
        if error.code == .timedOut && said.isEmpty {
            error.detail = "it accepted the connection and said nothing"
        }
        throw error
    }
    guard said.first.map({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) == true else {
        throw DriverError(.malformed, subject: uri, detail: "what answers is not iiod: it said \(quoted(said))")
    }
}

/// Reads a file before libiio does, which would name every fault of it EINVAL, on standard error.
private func check(_ file: FilePath, _ uri: String) throws(DriverError) {
    let world = LiveWorld(
        devices: { _ in [] }, modules: { _ in [] },
        channel: { (endpoint, _) throws(DriverError) in throw DriverError(.unsupported, subject: endpoint.description) }
    )
    let bytes = try world.contents(of: file, limit: ContextDescription.byteLimit)
    do throws(ContextXMLError) {
        _ = try ContextDescription(parsing: bytes)
    } catch {
        throw DriverError(
            .malformed, errno: .invalidArgument, subject: file.string,
            detail: "no context description: \(error.message) at byte \(error.offset)")
    }
}

/// A libiio context; requests and answers as `RemoteRequest` tells.
///
/// One request is answered at a time, by the thread that waits for its answer.
@safe
private final class RemoteIIOChannel: Channel, @unchecked Sendable {
    private struct State {
        var request: RemoteRequest?
        var timeout: Double = 0
        var isCancelled = false
    }

    private let uri: String
    private let library: LibIIO
    private let context: OpaquePointer
    private let state = Mutex(State())
    /// Held while libiio works: what it gives is valid until its next call.
    private let turn = Mutex(())

    init(_ uri: String, _ library: LibIIO, until deadline: Instant) throws(DriverError) {
        library.silenceParser()
        Glibc.errno = 0
        let (created, failure) = unsafe withoutBrokenPipes { (unsafe library.create(uri), Errno.current) }
        guard let context = unsafe created else { throw DriverError(errno: failure, subject: uri) }
        self.uri = uri
        self.library = library
        unsafe self.context = context
    }

    deinit { withoutBrokenPipes { unsafe library.destroy(context) } }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        guard let request = RemoteRequest(frame) else {
            throw DriverError(.malformed, subject: uri, detail: "no request: \(quoted(frame))")
        }
        state.withLock { $0.request = request }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let (request, isCancelled) = state.withLock { state in
            defer { state.request = nil }
            return (state.request, state.isCancelled)
        }
        if isCancelled { throw DriverError(.cancelled, subject: uri) }
        guard let request else { throw DriverError(.timedOut, subject: uri, detail: "nothing was asked") }
        let left = Instant.now.seconds(to: deadline)
        guard left > 0 else { throw DriverError(.timedOut, subject: uri) }
        let outcome = turn.withLock { _ -> Result<[UInt8], DriverError> in
            withoutBrokenPipes {
                bound(by: left)
                return answer(request, limit)
            }
        }
        return try outcome.get()
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Tells libiio how long it may take; each telling is a round trip, so small changes are not told.
    private func bound(by seconds: Double) {
        let known = state.withLock(\.timeout)
        guard known < seconds * 0.5 || known > seconds * 2 else { return }
        state.withLock { $0.timeout = seconds }
        _ = unsafe library.setTimeout(context, CUnsignedInt(min(max(seconds * 1000, 1), 1e8)))
    }

    private func answer(_ request: RemoteRequest, _ limit: Int) -> Result<[UInt8], DriverError> {
        switch request {
        case .description:
            guard let text = unsafe library.xml(context) else { return fail(.noData, uri) }
            let length = unsafe strlen(text)
            guard length <= limit else {
                return .failure(DriverError(.malformed, subject: uri, detail: "a description of \(length) bytes"))
            }
            return .success(unsafe Array(UnsafeRawBufferPointer(start: text, count: length)))
        case .read(let id, let attribute):
            let subject = "\(uri) \(id) \(attribute.channel.map { "\($0) " } ?? "")\(attribute.name)"
            guard let device = unsafe library.findDevice(context, id) else {
                return fail(.noSuchFileOrDirectory, subject)
            }
            var status = 0
            // libiio counts the end of the string too.
            let room = min(limit, 4096) + 1
            var found = true
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
                if let name = attribute.channel {
                    if let channel = unsafe library.findChannel(device, name, attribute.isOutput) {
                        status = unsafe library.readChannel(channel, attribute.name, text, room)
                    } else {
                        found = false
                    }
                } else {
                    status = unsafe library.readDevice(device, attribute.name, text, room)
                }
                count = max(0, min(status, room))
            }
            guard found else { return fail(.noSuchFileOrDirectory, subject) }
            guard status >= 0 else { return fail(Errno(rawValue: CInt(clamping: -status)), subject) }
            return .success(Array(bytes.prefix { $0 != 0 }))
        }
    }

    private func fail(_ errno: Errno, _ subject: String) -> Result<[UInt8], DriverError> {
        .failure(DriverError(errno == .timedOut ? .timedOut : .refused, errno: errno, subject: subject))
    }
}

internal import DriverKit
internal import Glibc
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// A conversation with a service on the D-Bus system bus, through libsystemd's sd-bus.
///
/// The bus is the one that `DBUS_SYSTEM_BUS_ADDRESS` names, else `/run/dbus/system_bus_socket`. Nothing in it waits without
/// the caller's deadline: sd-bus only does what is ready, and the waiting is done here. Calls do not start the service
/// (`NO_AUTO_START`). One request is answered at a time, by the thread that waits for it. Source: sd-bus(3), the D-Bus
/// specification.
@safe
final class SystemBusChannel: Channel, @unchecked Sendable {
    private struct State {
        var call: BusCall?
        var isWatching = false
        /// Bytes that have come, or a little more: what waits before each read.
        var received = 0
    }

    /// Far more than all objects of a service; a message may have 128 MiB.
    private static let receiveLimit = 4 << 20

    private let service: String
    private let subject: String
    private let library: LibSystemd
    private let bus: OpaquePointer
    private let end: Waker
    /// Held while sd-bus works, which is not thread-safe.
    private let state = Mutex(State())

    /// Begins to connect; ENOENT if there is no bus, `unsupported` without libsystemd.
    init(to service: String, subject: String) throws(DriverError) {
        self.service = service
        self.subject = subject
        library = try LibSystemd()
        end = try Waker()
        var bus: OpaquePointer?
        let status = unsafe library.open(&bus)
        guard status >= 0, let bus = unsafe bus else {
            throw DriverError(errno: Errno(rawValue: -status), subject: subject)
        }
        unsafe self.bus = bus
    }

    deinit {
        // Without flushing, which would wait for the peer.
        unsafe library.close(bus)
        _ = unsafe library.release(bus)
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        if frame == BusCall.watch { return try watch(until: deadline) }
        guard let call = BusCall(frame) else {
            throw DriverError(.malformed, subject: subject, detail: "no request of the system bus")
        }
        state.withLock { $0.call = call }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let (call, isWatching) = state.withLock { state in
            defer { state.call = nil }
            return (state.call, state.isWatching)
        }
        if let call {
            let cookie = try start(call)
            let answer = try next(until: deadline) { message in unsafe self.library.cookie(answeredBy: message) == cookie }
            defer { _ = unsafe library.releaseMessage(answer) }
            return try unsafe values(of: answer, call, limit: limit)
        }
        guard isWatching else { throw DriverError(.timedOut, subject: subject, detail: "nothing was asked") }
        let signal = try next(until: deadline) { message in unsafe self.library.isSignal(message, nil, nil) > 0 }
        defer { _ = unsafe library.releaseMessage(signal) }
        return try unsafe values(of: signal, BusCall("", "", ""), limit: limit)
    }

    func cancel() { end.wake() }

    // MARK: Messages

    /// Asks the bus for the service's signals: properties and objects that change, and whether it runs.
    private func watch(until deadline: Instant) throws(DriverError) {
        let properties = "org.freedesktop.DBus.Properties"
        let rules = [
            "type='signal',sender='\(service)',interface='\(properties)',member='PropertiesChanged'",
            "type='signal',sender='\(service)',interface='org.freedesktop.DBus.ObjectManager'",
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(service)'",
        ]
        for rule in rules {
            let cookie = try start(BusCall("/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch"), of: rule)
            let answer = try next(until: deadline) { message in unsafe self.library.cookie(answeredBy: message) == cookie }
            defer { _ = unsafe library.releaseMessage(answer) }
            if let error = unsafe failure(of: answer) { throw error }
        }
        state.withLock { $0.isWatching = true }
    }

    /// Queues a call; returns the number that its answer repeats.
    private func start(_ call: BusCall, of argument: String? = nil) throws(DriverError) -> UInt64 {
        let destination = argument == nil ? service : "org.freedesktop.DBus"
        return try checked(
            state.withLock { _ -> Result<UInt64, DriverError> in
                var message: OpaquePointer?
                var status = unsafe library.newCall(
                    bus, &message, destination, call.object, call.interface, call.method)
                defer { _ = unsafe library.releaseMessage(message) }
                if status >= 0 { status = unsafe library.setAutoStart(message, 0) }
                if status >= 0, let argument {
                    status = unsafe argument.withCString { unsafe library.append(message, CChar(UInt8(ascii: "s")), $0) }
                }
                var cookie: UInt64 = 0
                if status >= 0 { status = unsafe library.send(bus, message, &cookie) }
                return status < 0 ? .failure(lost(status)) : .success(cookie)
            })
    }

    /// The next message that is meant; others are dropped.
    private func next(
        until deadline: Instant, _ isMeant: (OpaquePointer) -> Bool
    ) throws(DriverError) -> OpaquePointer {
        while true {
            guard Instant.now < deadline else { throw DriverError(.timedOut, subject: subject) }
            if end.isWoken { throw DriverError(.cancelled, subject: subject) }
            let step = try checked(state.withLock { state in unsafe step(&state) })
            if let message = unsafe step.message {
                if unsafe isMeant(message) { return unsafe message }
                _ = unsafe library.releaseMessage(message)
            }
            if step.isReady { continue }
            let until = step.timeout.map { min($0, deadline) } ?? deadline
            do throws(Errno) {
                _ =
                    step.wantsToWrite
                    ? try end.wait(forEitherWayOf: step.descriptor, until: until)
                    : try end.wait(for: step.descriptor, until: until)
            } catch {
                throw DriverError(errno: error, subject: subject)
            }
        }
    }

    private struct Step {
        var message: OpaquePointer?
        /// Whether more can be done without waiting.
        var isReady = false
        var descriptor: CInt = -1
        var wantsToWrite = false
        /// When sd-bus has something to do without a message.
        var timeout: Instant?
    }

    /// Does what is ready.
    private func step(_ state: inout State) -> Result<Step, DriverError> {
        var step = unsafe Step()
        unsafe step.descriptor = unsafe library.descriptor(bus)
        guard unsafe step.descriptor >= 0 else { return unsafe .failure(lost(step.descriptor)) }
        var waiting: CInt = 0
        if unsafe ioctl(step.descriptor, UInt(FIONREAD), &waiting) == 0 { state.received += Int(max(0, waiting)) }
        guard state.received <= Self.receiveLimit else {
            return .failure(
                DriverError(.malformed, subject: subject, detail: "more than \(Self.receiveLimit) bytes came"))
        }
        var message: OpaquePointer?
        let status = unsafe library.process(bus, &message)
        guard status >= 0 else { return .failure(lost(status)) }
        unsafe step.message = message
        unsafe step.isReady = status > 0
        unsafe step.wantsToWrite = unsafe library.events(bus) & CInt(POLLOUT) != 0
        var microseconds = UInt64.max
        if unsafe library.timeout(bus, &microseconds) > 0 {
            // On CLOCK_MONOTONIC, which stands still in suspend.
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            if microseconds < UInt64(Int64.max) {
                unsafe step.timeout = Instant.now.advanced(bySeconds: max(0, Double(microseconds) / 1e6 - now))
            }
        }
        return unsafe .success(step)
    }

    private func checked<Value>(_ result: Result<Value, DriverError>) throws(DriverError) -> Value {
        try result.get()
    }

    /// The error of a connection that ended, or is none.
    private func lost(_ status: CInt) -> DriverError {
        let errno = Errno(rawValue: -status)
        let ends: [Errno] = [.connectionReset, .socketNotConnected, .brokenPipe]
        if ends.contains(errno) { return DriverError(.closed, errno: errno, subject: subject) }
        // What came violates the protocol.
        let faults: [Errno] = [.badMessage, .protocolError]
        if faults.contains(errno) {
            return DriverError(.malformed, subject: subject, detail: "what came is not D-Bus (\(errno.name))")
        }
        return DriverError(errno: errno, subject: subject)
    }

    // MARK: Answers

    /// The error of an answer; nil if it is none.
    @unsafe
    private func failure(of message: OpaquePointer) -> DriverError? {
        guard let error = unsafe library.error(message) else { return nil }
        // A `sd_bus_error`: the name, the text, a flag.
        let name = unsafe error.load(as: UnsafePointer<CChar>?.self).map { unsafe String(cString: $0) } ?? ""
        let text = unsafe error.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
            .flatMap { unsafe PeerText.line(Array(String(cString: $0).utf8), limit: 160) }
        let last = String(name.split(separator: ".").last ?? "")
        switch last {
        case "ServiceUnknown", "NameHasNoOwner":
            return DriverError(
                .refused, errno: .connectionRefused, subject: subject, detail: "no program owns \(service) on the bus")
        case "AccessDenied", "Unauthorized", "AuthFailed", "NotAuthorized":
            return DriverError(.refused, errno: .permissionDenied, subject: subject, detail: text ?? "")
        case "UnknownMethod", "UnknownObject", "UnknownInterface":
            return DriverError(.refused, errno: .noFunction, subject: subject, detail: text ?? "")
        case "NoReply", "Timeout", "TimedOut": return DriverError(.timedOut, subject: subject, detail: text ?? "")
        default:
            let shown = PeerText.line(name.utf8) ?? "an error without a name"
            return DriverError(
                .refused, errno: .ioError, subject: subject, detail: text.map { "\($0) (\(shown))" } ?? shown)
        }
    }

    /// The values of an answer, as a frame.
    @unsafe
    private func values(of message: OpaquePointer, _ call: BusCall, limit: Int) throws(DriverError) -> [UInt8] {
        if let error = unsafe failure(of: message) { throw error }
        var reader = unsafe BusMessageReader(library, message, call)
        guard unsafe reader.read() else {
            throw DriverError(.malformed, subject: subject, detail: "an answer that cannot be read")
        }
        let frame = BusValues.frame(of: unsafe reader.values)
        guard frame.count <= min(limit, BusValues.byteLimit) else {
            throw DriverError(.malformed, subject: subject, detail: "an answer of \(frame.count) bytes")
        }
        return frame
    }
}

/// Reads the values of a message, whatever their types, within bounds.
@unsafe
private struct BusMessageReader {
    private static let depthLimit = 12

    private let library: LibSystemd
    private let message: OpaquePointer
    private let call: BusCall
    private(set) var values: [BusValues.BusValue] = []

    init(_ library: LibSystemd, _ message: OpaquePointer, _ call: BusCall) {
        unsafe self.library = library
        unsafe self.message = message
        unsafe self.call = call
    }

    /// Reads everything; false if the message violates its own types, or has too many values.
    mutating func read() -> Bool { unsafe read([], depth: 0) }

    /// Reads the values that are left in the current container.
    private mutating func read(_ keys: [String], depth: Int) -> Bool {
        guard depth < Self.depthLimit else { return false }
        while true {
            var (kind, contents) = unsafe (CChar(0), UnsafePointer<CChar>?.none)
            let status = unsafe library.peek(message, &kind, &contents)
            guard status > 0 else { return status == 0 }
            guard unsafe values.count < BusValues.valueLimit else { return false }
            let type = UInt8(bitPattern: kind)
            switch type {
            case UInt8(ascii: "e"):
                guard unsafe library.enter(message, kind, contents) > 0, let key = unsafe text() else { return false }
                if unsafe isWanted(key, after: keys) {
                    guard unsafe read(keys + [key], depth: depth + 1) else { return false }
                } else {
                    guard unsafe library.skip(message, nil) >= 0 else { return false }
                }
                guard unsafe library.exit(message) >= 0 else { return false }
            case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "v"):
                guard unsafe library.enter(message, kind, contents) >= 0, unsafe read(keys, depth: depth + 1),
                    unsafe library.exit(message) >= 0
                else { return false }
            default:
                guard let text = unsafe text() else { return false }
                unsafe values.append(BusValues.BusValue(keys: keys, text: text))
            }
        }
    }

    /// Whether an entry is kept: the second key is an interface, the third one a property.
    private func isWanted(_ key: String, after keys: [String]) -> Bool {
        switch keys.count {
        case 1: unsafe call.interfaces.isEmpty || call.interfaces.contains(key)
        case 2: unsafe call.properties.isEmpty || call.properties.contains(key)
        default: true
        }
    }

    /// The next value as text; nil if it is none of a basic type.
    private mutating func text() -> String? {
        var (kind, contents) = unsafe (CChar(0), UnsafePointer<CChar>?.none)
        guard unsafe library.peek(message, &kind, &contents) > 0 else { return nil }
        switch UInt8(bitPattern: kind) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            var text: UnsafePointer<CChar>?
            guard unsafe library.readBasic(message, kind, &text) > 0, let text = unsafe text else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: min(strlen(text), 4096))
            return unsafe String(decoding: bytes, as: UTF8.self).singleLine
        case UInt8(ascii: "b"): return unsafe number(kind, CInt(0)).map { $0 == 0 ? "false" : "true" }
        case UInt8(ascii: "y"): return unsafe number(kind, UInt8(0)).map { "\($0)" }
        case UInt8(ascii: "n"): return unsafe number(kind, Int16(0)).map { "\($0)" }
        case UInt8(ascii: "q"): return unsafe number(kind, UInt16(0)).map { "\($0)" }
        case UInt8(ascii: "i"): return unsafe number(kind, Int32(0)).map { "\($0)" }
        case UInt8(ascii: "u"): return unsafe number(kind, UInt32(0)).map { "\($0)" }
        case UInt8(ascii: "x"): return unsafe number(kind, Int64(0)).map { "\($0)" }
        case UInt8(ascii: "t"): return unsafe number(kind, UInt64(0)).map { "\($0)" }
        case UInt8(ascii: "d"): return unsafe number(kind, Double(0)).map { "\($0)" }
        // A descriptor is not taken.
        case UInt8(ascii: "h"): return unsafe library.skip(message, "h") >= 0 ? "" : nil
        default: return nil
        }
    }

    private func number<Number: BitwiseCopyable>(_ kind: CChar, _ zero: Number) -> Number? {
        var number = zero
        return unsafe library.readBasic(message, kind, &number) > 0 ? number : nil
    }
}

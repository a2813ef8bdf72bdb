internal import CSystemd
internal import DriverKit
internal import Glibc
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// A message of sd-bus, as long as its owner keeps it.
@safe
struct BusMessage {
    let handle: OpaquePointer
}

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
        guard let call = BusCall(frame) else { throw malformed("no request of the system bus") }
        state.withLock { $0.call = call }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let (call, isWatching) = state.withLock { (exchange(&$0.call, with: nil), $0.isWatching) }
        if let call {
            let cookie = try start(call)
            return try next(until: deadline) { message throws(DriverError) in
                guard library.cookie(answeredBy: message) == cookie else { return nil }
                return try values(of: message, call, limit: limit)
            }
        }
        guard isWatching else { throw DriverError(.timedOut, subject: subject, detail: "nothing was asked") }
        return try next(until: deadline) { message throws(DriverError) in
            guard unsafe library.isSignal(message.handle, nil, nil) > 0 else { return nil }
            return try values(of: message, BusCall("", "", ""), limit: limit)
        }
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
            _ = try next(until: deadline) { message throws(DriverError) in
                guard library.cookie(answeredBy: message) == cookie else { return nil }
                try check(message)
                return []
            }
        }
        state.withLock { $0.isWatching = true }
    }

    /// Queues a call, or one to the bus itself with an argument; returns the number that its answer repeats.
    private func start(_ call: BusCall, of argument: String? = nil) throws(DriverError) -> UInt64 {
        let destination = argument == nil ? service : "org.freedesktop.DBus"
        return try state.withLock { _ throws(DriverError) in
            var message: OpaquePointer?
            var status = unsafe library.newCall(bus, &message, destination, call.object, call.interface, call.method)
            defer { _ = unsafe library.releaseMessage(message) }
            if status >= 0 { status = unsafe library.setAutoStart(message, 0) }
            if status >= 0, let argument {
                status = unsafe argument.withCString { unsafe library.append(message, CChar(UInt8(ascii: "s")), $0) }
            }
            var cookie: UInt64 = 0
            if status >= 0 { status = unsafe library.send(bus, message, &cookie) }
            guard status >= 0 else { throw lost(status) }
            return cookie
        }
    }

    /// What `take` makes of the next message that is meant: of one for which it is not nil.
    private func next(
        until deadline: Instant, _ take: (BusMessage) throws(DriverError) -> [UInt8]?
    ) throws(DriverError) -> [UInt8] {
        while true {
            guard Instant.now < deadline else { throw DriverError(.timedOut, subject: subject) }
            if end.isWoken { throw DriverError(.cancelled, subject: subject) }
            let step = try state.withLock { state throws(DriverError) in try ready(&state, take) }
            if let taken = step.taken { return taken }
            if step.isReady { continue }
            let until = step.timeout.map { min($0, deadline) } ?? deadline
            _ = try rethrowing(
                as: { (error: Errno) in DriverError(errno: error, subject: subject) },
                try end.wait(for: step.descriptor, toWrite: step.wantsToWrite, until: until))
        }
    }

    private struct Step: Sendable {
        var taken: [UInt8]?
        /// Whether more can be done without waiting.
        var isReady: Bool
        var descriptor: CInt
        var wantsToWrite: Bool
        /// When sd-bus has something to do without a message.
        var timeout: Instant?
    }

    private func ready(
        _ state: inout State, _ take: (BusMessage) throws(DriverError) -> [UInt8]?
    ) throws(DriverError) -> Step {
        let descriptor = unsafe library.descriptor(bus)
        guard descriptor >= 0 else { throw lost(descriptor) }
        var waiting: CInt = 0
        if unsafe ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 { state.received += Int(max(0, waiting)) }
        guard state.received <= Self.receiveLimit else {
            throw malformed("more than \(Self.receiveLimit) bytes came")
        }
        var message: OpaquePointer?
        let status = unsafe library.process(bus, &message)
        guard status >= 0 else { throw lost(status) }
        var taken: [UInt8]?
        if let message = unsafe message {
            defer { _ = unsafe library.releaseMessage(message) }
            taken = try take(unsafe BusMessage(handle: message))
        }
        return Step(
            taken: taken, isReady: status > 0, descriptor: descriptor,
            wantsToWrite: unsafe library.events(bus) & CInt(POLLOUT) != 0, timeout: timeout)
    }

    /// When sd-bus wants to be called again whatever comes; nil if it does not.
    private var timeout: Instant? {
        var microseconds = UInt64.max
        guard unsafe library.timeout(bus, &microseconds) > 0, microseconds < UInt64(Int64.max) else { return nil }
        // On CLOCK_MONOTONIC, which stands still in suspend.
        let now = Double(Instant.time(of: CLOCK_MONOTONIC)) / 1e9
        return Instant.now.advanced(bySeconds: max(0, Double(microseconds) / 1e6 - now))
    }

    private func lost(_ status: CInt) -> DriverError {
        let errno = Errno(rawValue: -status)
        let ends: [Errno] = [.connectionReset, .socketNotConnected, .brokenPipe]
        if ends.contains(errno) { return DriverError(.closed, errno: errno, subject: subject) }
        // What came violates the protocol.
        let faults: [Errno] = [.badMessage, .protocolError]
        if faults.contains(errno) { return malformed("what came is not D-Bus (\(errno.name))") }
        return DriverError(errno: errno, subject: subject)
    }

    private func malformed(_ detail: String) -> DriverError {
        DriverError(.malformed, subject: subject, detail: detail)
    }

    // MARK: Answers

    private func check(_ message: BusMessage) throws(DriverError) {
        guard let error = unsafe library.error(message.handle) else { return }
        let name = unsafe error.pointee.name.map { unsafe String(cString: $0) } ?? ""
        let text = unsafe error.pointee.message
            .flatMap { unsafe PeerText.line(Array(String(cString: $0).utf8), limit: 160) }
        let last = String(name.split(separator: ".").last ?? "")
        switch last {
        case "ServiceUnknown", "NameHasNoOwner":
            throw .unowned(service, subject: subject)
        case "AccessDenied", "Unauthorized", "AuthFailed", "NotAuthorized":
            throw DriverError(.refused, errno: .permissionDenied, subject: subject, detail: text ?? "")
        case "UnknownMethod", "UnknownObject", "UnknownInterface":
            throw DriverError(.refused, errno: .noFunction, subject: subject, detail: text ?? "")
        case "NoReply", "Timeout", "TimedOut": throw DriverError(.timedOut, subject: subject, detail: text ?? "")
        default:
            let shown = PeerText.line(name.utf8) ?? "an error without a name"
            throw DriverError(
                .refused, errno: .ioError, subject: subject, detail: text.map { "\($0) (\(shown))" } ?? shown)
        }
    }

    private func values(of message: BusMessage, _ call: BusCall, limit: Int) throws(DriverError) -> [UInt8] {
        try check(message)
        var reader = BusMessageReader(library: library, message: message, call: call)
        guard reader.read() else { throw malformed("an answer that cannot be read") }
        let frame = BusValues.frame(of: reader.values)
        guard frame.count <= min(limit, BusValues.byteLimit) else {
            throw malformed("an answer of \(frame.count) bytes")
        }
        return frame
    }
}

/// Reads the values of a message, whatever their types, within bounds.
struct BusMessageReader {
    private static let depthLimit = 12

    let library: LibSystemd
    let message: BusMessage
    let call: BusCall
    private(set) var values: [BusValues.BusValue] = []

    /// Reads the values that are left in the current container, behind these keys; false if the message violates its own
    /// types, or has too many values.
    mutating func read(_ keys: [String] = [], depth: Int = 0) -> Bool {
        guard depth < Self.depthLimit else { return false }
        while true {
            var (kind, contents) = unsafe (CChar(0), UnsafePointer<CChar>?.none)
            let status = unsafe library.peek(message.handle, &kind, &contents)
            guard status > 0 else { return status == 0 }
            guard values.count < BusValues.valueLimit else { return false }
            let type = UInt8(bitPattern: kind)
            switch type {
            case UInt8(ascii: "e"):
                guard unsafe library.enter(message.handle, kind, contents) > 0, let key = text() else { return false }
                if isWanted(key, after: keys) {
                    guard read(keys + [key], depth: depth + 1) else { return false }
                } else {
                    guard unsafe library.skip(message.handle, nil) >= 0 else { return false }
                }
                guard unsafe library.exit(message.handle) >= 0 else { return false }
            case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "v"):
                let before = values.count
                let element = unsafe contents.map { unsafe UInt8(bitPattern: $0.pointee) }
                let isList = type == UInt8(ascii: "a") && element != UInt8(ascii: "{")
                guard unsafe library.enter(message.handle, kind, contents) >= 0, read(keys, depth: depth + 1),
                    unsafe library.exit(message.handle) >= 0
                else { return false }
                // An empty list is a value too; without it, the property would look as if it did not exist.
                if isList, !keys.isEmpty, values.count == before {
                    values.append(BusValues.BusValue(keys: keys, text: ""))
                }
            default:
                guard let text = text() else { return false }
                values.append(BusValues.BusValue(keys: keys, text: text))
            }
        }
    }

    /// Whether an entry is kept: the second key is an interface, the third one a property.
    private func isWanted(_ key: String, after keys: [String]) -> Bool {
        switch keys.count {
        case 1: call.interfaces.isEmpty || call.interfaces.contains(key)
        case 2: call.properties.isEmpty || call.properties.contains(key)
        default: true
        }
    }

    /// The next value as text; nil if it is none of a basic type.
    private mutating func text() -> String? {
        var (kind, contents) = unsafe (CChar(0), UnsafePointer<CChar>?.none)
        guard unsafe library.peek(message.handle, &kind, &contents) > 0 else { return nil }
        switch UInt8(bitPattern: kind) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            var text: UnsafePointer<CChar>?
            guard unsafe library.readBasic(message.handle, kind, &text) > 0, let text = unsafe text else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: min(strlen(text), 4096))
            return unsafe String(decoding: bytes, as: UTF8.self).singleLine
        case UInt8(ascii: "b"): return number(kind, CInt(0)).map { $0 == "0" ? "false" : "true" }
        case UInt8(ascii: "y"): return number(kind, UInt8(0))
        case UInt8(ascii: "n"): return number(kind, Int16(0))
        case UInt8(ascii: "q"): return number(kind, UInt16(0))
        case UInt8(ascii: "i"): return number(kind, Int32(0))
        case UInt8(ascii: "u"): return number(kind, UInt32(0))
        case UInt8(ascii: "x"): return number(kind, Int64(0))
        case UInt8(ascii: "t"): return number(kind, UInt64(0))
        case UInt8(ascii: "d"): return number(kind, Double(0))
        // A descriptor is not taken.
        case UInt8(ascii: "h"): return unsafe library.skip(message.handle, "h") >= 0 ? "" : nil
        default: return nil
        }
    }

    private func number<Number: BitwiseCopyable & CustomStringConvertible>(
        _ kind: CChar, _ zero: Number
    ) -> String? {
        var number = zero
        return unsafe library.readBasic(message.handle, kind, &number) > 0 ? "\(number)" : nil
    }
}

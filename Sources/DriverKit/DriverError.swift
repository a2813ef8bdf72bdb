internal import CGlibc
public import Readiness
public import SystemPackage

/// Why the world, or a driver, could not answer.
public struct DriverError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of fault; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the fault.
        public let rawValue: String
        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kernel or the peer returned an error number.
        public static let refused = Code(rawValue: "refused")
        /// Nothing came before the deadline.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Nothing ever came; only a replay throws it, a live request blocks its thread instead.
        public static let unanswered = Code(rawValue: "unanswered")
        /// The answer violates the protocol, or exceeds its bound.
        public static let malformed = Code(rawValue: "malformed")
        /// The peer closed the connection.
        public static let closed = Code(rawValue: "closed")
        /// This build, or this system, does not have it.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Another process's right to it cannot be tried from here.
        public static let untried = Code(rawValue: "untried")
        /// The confinement of the process hides or refuses it: a filter of system calls, or files of its own.
        public static let confined = Code(rawValue: "confined")
        /// `cancel` was called.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The recording does not contain the answer.
        public static let notRecorded = Code(rawValue: "notRecorded")
    }

    /// The kind of fault.
    public var code: Code
    /// The error number, if there is one.
    public var errno: Errno?
    /// The path or peer that it concerns.
    public var subject: String
    /// The fault in plain words; empty if code and errno suffice.
    public var detail: String

    /// Makes an error.
    public init(_ code: Code, errno: Errno? = nil, subject: String, detail: String = "") {
        self.code = code
        self.errno = errno
        self.subject = subject
        self.detail = detail
    }

    /// Makes the error of a call that returned an error number.
    public init(errno: Errno, subject: String) { self.init(.refused, errno: errno, subject: subject) }

    /// Whether the operating system forbids it (EACCES, EPERM, or a confinement).
    public var isDenied: Bool { code == .confined || errno == .permissionDenied || errno == .notPermitted }

    /// The fault in one clause, without the subject.
    public var reason: String {
        if !detail.isEmpty { return detail }
        if let errno { return errno.clause }
        switch code {
        case .timedOut, .unanswered: return "no answer before the deadline"
        case .closed: return "the peer closed the connection"
        case .notRecorded: return "the recording does not hold the answer"
        default: return code.rawValue
        }
    }

    /// Subject and reason.
    public var description: String { "\(subject): \(reason)" }
}

extension Errno {
    /// EREMOTEIO, which swift-system does not name.
    package static let remoteInputOutput = Errno(rawValue: 121)

    /// The number's name in the C headers, such as `EACCES`; `errno 999` for a number without one.
    public var name: String {
        unsafe strerrorname_np(rawValue).map { unsafe String(cString: $0) } ?? "errno \(rawValue)"
    }

    /// The system's message and the name, such as "Permission denied (EACCES)".
    public var clause: String { "\(description) (\(name))" }
}

extension DriverError {
    /// The availability of a listed sensor after a failed read.
    ///
    /// EACCES and EPERM leave the sensor `indeterminate` (its access is denied); ENODEV and ENOENT mean `absent`,
    /// removed since it was listed; ETIMEDOUT and our own deadline `silent`; a peer that closed the connection
    /// `unreachable`; ENOSYS, a shortage and an answer missing from a recording `indeterminate`; all others `faulty`.
    /// The IIO driver handles EBUSY with a buffer enabled before this.
    public var availability: Availability { availability(isListed: nil) }

    /// The same where it is known whether the kernel still lists the device; nil if that is unknown.
    ///
    /// A chip that does not acknowledge its address fails with EREMOTEIO, ENXIO or ENODEV, as its bus's driver chooses:
    /// while the kernel lists it, it is `faulty`. EREMOTEIO, which no missing device has, always is. Source: the
    /// kernel's `Documentation/i2c/fault-codes.rst`.
    package func availability(isListed: Bool?) -> Availability {
        let cause: Cause =
            switch (code, errno) {
            case (.timedOut, _), (.unanswered, _): .silent
            case (.closed, _): .unreachable
            case (.unsupported, _), (.notRecorded, _), (.cancelled, _), (.untried, _): .indeterminate
            case _ where isShortage || isDenied || errno == .noFunction: .indeterminate
            case (_, .noSuchFileOrDirectory), (_, .operationNotSupportedByDevice):
                isListed == true ? .faulty : .absent
            case (_, .noSuchAddressOrDevice): isListed == false ? .absent : .faulty
            case (_, .timedOut): .silent
            default: .faulty
            }
        return .unavailable(cause)
    }

    /// Whether it may mean that the device is gone, which its folder shows.
    package var mayBeGone: Bool {
        [.noSuchAddressOrDevice, .operationNotSupportedByDevice, .noSuchFileOrDirectory].contains(errno)
    }

    /// Whether a bus reports with this error number that the device does not answer.
    package var isBusSilence: Bool {
        [.noSuchAddressOrDevice, .operationNotSupportedByDevice, .remoteInputOutput].contains(errno)
    }

    /// Whether this process or its machine lacked descriptors or memory, which says nothing about a sensor.
    public var isShortage: Bool { [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(errno) }

    /// The error as evidence.
    public func evidence(of sensor: String? = nil) -> Evidence {
        Evidence(sensor: sensor, path: subject, errno: errno?.name, said: reason)
    }
}

/// Runs what throws one kind of error, and throws it as another.
package func rethrowing<Value: ~Copyable, Failure, Other>(
    as convert: (Failure) -> Other, _ body: @autoclosure () throws(Failure) -> Value
) throws(Other) -> Value {
    do {
        return try body()
    } catch {
        throw convert(error)
    }
}

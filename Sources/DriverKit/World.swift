public import SystemPackage

/// Everything that a driver may ask of a machine; all bytes that a driver reads come through here.
///
/// The live, recording and replayed worlds conform, so a recording runs the same parsers as the hardware. Calls may
/// block (a raw read of a hung sensor hub takes ten seconds), so they are made on threads that can be abandoned.
public protocol World: Sendable {
    /// How the requests were answered so far in a recording; nil in a live world.
    ///
    /// In a live world, a request that is never answered blocks its thread. A replay throws `unanswered` at once, and
    /// counts it here, whatever the driver does with the error.
    var replayCounts: ReplayCounts? { get }
    /// Whose access is evaluated in place of this process's; nil for this process, or an account of it.
    var subject: AccessSubject? { get }
    /// The current instant, on the clock that includes suspend.
    func now() -> Instant
    /// The canonical `/sys/devices/…` paths of a subsystem's devices (`iio`, `i2c`, `tty`) that udev lists, in bus order:
    /// numbers compare by value.
    func devices(in subsystem: String) throws(DriverError) -> [FilePath]
    /// The same without the devices of these names, such as `1-0068`, which need not be looked at.
    func devices(in subsystem: String, besides names: Set<String>) throws(DriverError) -> [FilePath]
    /// The module files that would drive a device with this MODALIAS, such as
    /// `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko`; empty if none is known, `unsupported` if there is no index.
    /// Source: `modules.alias`.
    func modules(for alias: String) throws(DriverError) -> [String]
    /// The names in a folder, sorted, without `.` and `..`.
    func entries(of folder: FilePath) throws(DriverError) -> [String]
    /// The bytes of a file, at most `limit`; a longer file is `malformed`.
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8]
    /// Owner, mode, access control list and the user's access; never opens the node.
    func status(of node: FilePath) throws(DriverError) -> NodeStatus
    /// The account whose access is evaluated.
    func account() throws(DriverError) -> Account
    /// The refusals of security modules in the kernel's log, oldest first; empty where this process may not read it.
    func loggedRefusals() -> [String]
    /// A conversation with a daemon or a kernel socket.
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel
}

extension World {
    /// Nil, as in a live world.
    public var replayCounts: ReplayCounts? { nil }
    /// Nil: this process.
    public var subject: AccessSubject? { nil }
    /// None, as in a recording.
    public func loggedRefusals() -> [String] { [] }

    /// Lists all, and leaves some out: so a recording holds all devices of a subsystem.
    public func devices(in subsystem: String, besides names: Set<String>) throws(DriverError) -> [FilePath] {
        try devices(in: subsystem).filter { !names.contains($0.lastComponent?.string ?? "") }
    }
}

/// How many requests a recording has answered, and how.
public struct ReplayCounts: Sendable, Equatable {
    /// Requests with a recorded answer or error.
    public var answered = 0
    /// Requests that were never answered.
    public var unanswered = 0
    /// Requests that were not made when the recording was taken.
    public var notRecorded = 0
    /// When the last request that was answered had its answer, on the recorded clock.
    public var lastAnswer: Instant?

    /// Makes counts of zero.
    public init() {}
}

/// Sends and receives frames.
///
/// A frame is one datagram, or the bytes of one read: the unit that a recording stores.
public protocol Channel: AnyObject, Sendable {
    /// Sends one frame whole.
    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError)
    /// The next frame, of at most `limit` bytes; throws `timedOut` at the deadline, `closed` when the peer closes.
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8]
    /// Makes a waiting call, and every later one, throw `cancelled`; may be called from any thread.
    func cancel()
}

/// What a driver can communicate with.
///
/// Not a closed enumeration: each driver defines its own, and opens them in `Driver.openChannel`.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The protocol that it speaks, such as `gpsd`; it belongs to one driver.
    public let kind: String
    /// The address in the format of the kind, such as `HOST:PORT`; empty if a machine has only one.
    public let address: String
    /// The endpoint as shown to users.
    ///
    /// Recordings use it too, so the format of a kind never changes.
    public let description: String

    /// Whether each answer depends only on the request before it, so that a replay finds it by the request.
    public let isStateless: Bool

    /// Makes an endpoint; the default name is `KIND at ADDRESS`, or `KIND`.
    public init(_ kind: String, at address: String = "", named name: String? = nil, isStateless: Bool = false) {
        self.isStateless = isStateless
        self.kind = kind
        self.address = address
        description = name ?? (address.isEmpty ? kind : "\(kind) at \(address)")
    }

    /// udev's events of the drivers' `eventSubsystems`; nothing can be sent.
    ///
    /// A frame is one event, as lines `KEY=VALUE` in the order of their keys, separated by `\n`.
    public static let uevents = Endpoint("udev", named: "udev's events")
}

public import SystemPackage

/// All that a driver may ask of the world; every byte that a driver reads comes through here.
///
/// Live, recorded and replayed are three conformances, so a recording runs the same parsers as the hardware. Calls may
/// block (a raw read of a hung sensor hub takes ten seconds), so they are made on threads that can be abandoned.
public protocol World: Sendable {
    /// How the questions were answered so far, where the answers are a recording's; nil in a live world.
    ///
    /// Live, a question that is never answered holds its thread. A replay throws `unanswered` at once, and counts it here,
    /// whatever the driver makes of the error.
    var replayCounts: ReplayCounts? { get }
    /// The present, on the clock that counts suspend.
    func now() -> Instant
    /// The canonical `/sys/devices/…` paths of a subsystem's devices (`iio`, `i2c`, `tty`) that udev lists, in order.
    func devices(in subsystem: String) throws(DriverError) -> [FilePath]
    /// The module files that would drive a device with this MODALIAS, such as
    /// `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko`; empty where none is known, and `unsupported` where nobody could know.
    /// Source: `modules.alias`.
    func modules(for alias: String) throws(DriverError) -> [String]
    /// The names in a folder, sorted; `.` and `..` left out.
    func entries(of folder: FilePath) throws(DriverError) -> [String]
    /// The bytes of a file, of which there are at most `limit`; more is `malformed`.
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8]
    /// Owner, mode, access control list and the user's access; never opens the node.
    func status(of node: FilePath) throws(DriverError) -> NodeStatus
    /// Whom access is judged for.
    func account() throws(DriverError) -> Account
    /// A conversation with a daemon or a kernel socket.
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel
}

extension World {
    /// Live.
    public var replayCounts: ReplayCounts? { nil }
}

/// How many questions a recording has answered, and how.
public struct ReplayCounts: Sendable, Equatable {
    /// Those with an answer on record, or an error.
    public var answered = 0
    /// Those that were asked, and never answered.
    public var unanswered = 0
    /// Those that were not asked when the recording was made.
    public var notRecorded = 0

    /// Makes counts of nothing.
    public init() {}
}

/// Frames in, frames out.
///
/// A frame is one datagram, or the bytes that one read gave: the unit that a recording stores.
public protocol Channel: AnyObject, Sendable {
    /// Sends one frame whole.
    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError)
    /// The next frame, of at most `limit` bytes; throws `timedOut` at the deadline, `closed` at the peer's end.
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8]
    /// Makes a waiting call, and every later one, throw `cancelled`; from any thread.
    func cancel()
}

package import DriverKit
package import SystemPackage

/// What a capture changes on a rig, in addition to what a `World` may read of it.
///
/// A probe never writes; a capture must, from its start to its stop. This protocol contains every such write.
package protocol CaptureHardware: Sendable {
    /// Writes an attribute.
    func write(_ value: String, to attribute: FilePath) throws(DriverError)
    /// Whether this user may write an attribute.
    func mayWrite(_ attribute: FilePath) -> Bool
    /// Throws EBUSY if another program holds a device's node, EACCES if this user may not open it.
    func claim(_ node: FilePath) throws(DriverError)
    /// Enables a device's buffer with these channels (`in_accel_x`, `in_timestamp`), with room for that many scans.
    func buffer(of device: String, channels: Set<String>, scans: Int) throws(DriverError) -> any CaptureBuffer
}

/// A buffer that is enabled until it is closed.
package protocol CaptureBuffer: AnyObject {
    /// The size of one scan in bytes, as computed by the buffer's owner.
    var scanSize: Int { get }
    /// All complete scans; none at the deadline. Throws `cancelled` when the capture is stopped, and ENODEV when the
    /// device was removed.
    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8]
    /// Disables the buffer and its channels.
    func close()
}

internal import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// The source of a capture's samples.
protocol SampleSource: AnyObject {
    var way: CaptureMode { get }
    /// Seconds between two samples.
    var step: Double { get }
    /// The next samples by kind of sensor, none at the deadline. Throws `cancelled` when the capture is stopped, else
    /// the error that ends it.
    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)]
    /// Ends the capture and restores what it has set.
    func close()
}

/// Starts to capture from a device: through its buffer if possible, else by reading its attributes.
///
/// Throws EACCES if this user may not read the node, EBUSY if another program captures, ENODEV if the device was
/// removed; `hertz` is the requested rate.
func openFeed(
    _ plans: [SensorPlan], of device: IIODevice, hertz: Double, in world: any World, _ hardware: any CaptureHardware
) throws(DriverError) -> any SampleSource {
    if let node = device.node, case .success(let status) = node.status, !status.readable {
        throw DriverError(errno: .permissionDenied, subject: node.path.string)
    }
    do throws(DriverError) {
        return try BufferSampleSource(plans, of: device, hertz: hertz, in: world, hardware)
    } catch {
        // Errors that reading attributes would meet too, or that mean the device is in use.
        let isFinal = error.errno == .resourceBusy || error.availability == .unavailable(.absent)
        if isFinal { throw error }
        return try AttributeSampleSource(plans, of: device, hertz: hertz, in: world, because: error.description)
    }
}

internal import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// Where a capture has its samples from.
protocol SampleSource: AnyObject {
    var way: CaptureMode { get }
    /// Seconds between two samples.
    var step: Double { get }
    /// The next samples by kind of sensor, none at the deadline. Throws `cancelled` when the capture is halted, and else
    /// what ends it.
    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)]
    /// Ends it and puts back what it has set.
    func close()
}

/// Starts to capture from a device: through its buffer where that can be, else by reading its attributes.
///
/// Throws EACCES where this user may not read the node, EBUSY where somebody else captures, ENODEV where the device has
/// gone; `hertz` is what is wished of it.
func openFeed(
    _ plans: [SensorPlan], of device: IIODevice, hertz: Double, in world: any World, _ hardware: any CaptureHardware
) throws(DriverError) -> any SampleSource {
    if let node = device.node, case .success(let status) = node.status, !status.readable {
        throw DriverError(errno: .permissionDenied, subject: node.path.string)
    }
    do throws(DriverError) {
        return try BufferSampleSource(plans, of: device, hertz: hertz, in: world, hardware)
    } catch {
        // What reading attributes would meet too, or would have to push aside.
        let isFinal = error.errno == .resourceBusy || error.availability == .unavailable(.absent)
        if isFinal { throw error }
        return try AttributeSampleSource(plans, of: device, hertz: hertz, in: world, because: error.description)
    }
}

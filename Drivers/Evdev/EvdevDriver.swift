package import DriverKit
internal import Linux
package import Readiness

/// Finds accelerometers and gyroscopes among this machine's input devices: game controllers, laptops and pads whose
/// kernel driver reports motion as events.
///
/// Looks for devices with the property `INPUT_PROP_ACCELEROMETER`, or that udev takes for accelerometers. Opens their
/// nodes only at depth `sample`, reads, and never writes or grabs. Source: the kernel's
/// `Documentation/input/event-codes.rst` and `include/uapi/linux/input.h`.
package struct EvdevDriver: Driver {
    package init() {}

    package var name: String { "evdev" }
    package var kinds: [SensorKind] { Self.kinds }
    /// `indeterminate`: only the kernel serves input devices.
    package var causeWhenStalled: Cause { .indeterminate }

    static let kinds: [SensorKind] = [.accelerometer, .gyroscope]

    package var eventSubsystems: Set<String> { ["input"] }

    package var changeSources: [ChangeSource] { [deviceEvents(of: eventSubsystems, as: .listing)] }

    /// Starts a session without any I/O.
    package func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        EvdevSession(world)
    }

    package func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        endpoint.kind == Endpoint.evdevKind ? try EvdevChannel(endpoint) : nil
    }

    /// Keeps the frames as they are: motion reveals nobody.
    package var anonymizer: (any FrameAnonymizer)? { EvdevAnonymizer() }

    /// Whether a machine has an input device that this driver opens at depth `sample`; true if that cannot be determined.
    package static func hasDevices(in world: any World) -> Bool {
        (try? InputDevice.paths(in: world).contains { InputDevice.isMotionSensor($0, in: world) }) ?? true
    }
}

extension Endpoint {
    static let evdevKind = "evdev"

    /// The node of an input device; its frames are those of `EvdevChannel`.
    static func evdev(_ node: String) -> Endpoint { Endpoint(evdevKind, at: node) }
}

/// Keeps the frames of input devices, which are binary and must not be searched for names.
struct EvdevAnonymizer: FrameAnonymizer {
    func covers(_ endpoint: String) -> Bool { endpoint.hasPrefix("\(Endpoint.evdevKind) at ") }
    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData] { [] }
    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] { frames }
}

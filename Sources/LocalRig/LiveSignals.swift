package import DriverKit
internal import Linux
package import Measurement
package import Readiness
internal import Synchronization

#if IIO
    internal import IIO
#endif
#if GPSD
    internal import GPSD
#endif

/// What the sensors of this machine say while somebody looks: the samples of its motion sensors, and the satellites of
/// its receivers.
///
/// Only what the assessment shows a reading of is read. Motion sensors are read through their attributes, each device on
/// a thread of its own, so that one that hangs delays only itself; nothing is written and no node is opened. A recorded
/// rig has no signals.
package final class LiveSignals: Sendable {
    /// One message of a sensor.
    package enum Signal: Sendable {
        /// A sample of a motion sensor; the time is in nanoseconds on CLOCK_MONOTONIC.
        case motion(Sensor, AxesReading, time: Int64)
        /// The satellites that a receiver sees.
        case satellites(Sensor, [Satellite])
        /// Why a sensor says nothing at present.
        case failure(Sensor, String)
    }

    /// The devices that are being read at present, by all that read them: one that hangs is not read a second time.
    package final class Readers: Sendable {
        private let devices = Mutex<Set<String>>([])

        package init() {}

        fileprivate func begin(_ device: String) -> Bool { devices.withLock { $0.insert(device).inserted } }
        fileprivate func end(_ device: String) { devices.withLock { _ = $0.remove(device) } }
    }

    /// The most samples a second of a sensor.
    package static let hertz = 50.0
    /// Seconds until a sensor that failed is tried again.
    private static let pause = 2.0

    /// The sensors that are read.
    package let sensors: [Sensor]
    /// Woken when the reading ends.
    package var halt: Waker { monitor.end }
    private let monitor: ChangeMonitor

    /// Starts to read some of the sensors that have signals; `deliver` is called on several threads.
    package init(
        _ rig: LocalRig, of sensors: [Sensor], by readers: Readers, _ deliver: @escaping @Sendable (Signal) -> Void
    ) throws(DriverError) {
        monitor = try ChangeMonitor(.sample, onChange: { _ in })
        self.sensors = sensors
        let world = rig.settings.world
        #if IIO
            // Even the list of devices may take a while.
            _ = Worker.start { [halt = monitor.end] in
                for meter in (try? MotionMeter.meters(for: sensors, in: world)) ?? [] where !halt.isWoken {
                    Self.follow(meter, in: world, by: readers, until: halt, deliver)
                }
            }
        #endif
        #if GPSD
            let receivers = sensors.filter { $0.kind == .locationReceiver }
            guard !receivers.isEmpty else { return }
            let gpsd = rig.settings.gpsd
            _ = Worker.start { [monitor] in
                GPSDClient.follow(gpsd, in: world, monitor) { state, message in
                    guard case .report? = message else { return }
                    for receiver in state.receivers {
                        guard let sensor = receivers.first(where: { $0.isReceiver(at: receiver.device.path) }) else {
                            continue
                        }
                        deliver(.satellites(sensor, receiver.sky.satellites))
                    }
                }
            }
        #endif
    }

    deinit { end() }

    #if IIO
        /// Reads the sensors of one device on a thread; one that fails is tried again.
        private static func follow(
            _ meter: MotionMeter, in world: any World, by readers: Readers, until halt: Waker,
            _ deliver: @escaping @Sendable (Signal) -> Void
        ) {
            _ = Worker.start {
                while !halt.isWoken {
                    do throws(DriverError) {
                        guard readers.begin(meter.name) else { throw DriverError(.timedOut, subject: meter.name) }
                        defer { readers.end(meter.name) }
                        try meter.readSignals(in: world, hertz: Self.hertz, until: halt) { sensor, axes, time in
                            deliver(.motion(sensor, axes, time: time))
                        }
                    } catch {
                        for sensor in meter.sensors { deliver(.failure(sensor, error.description)) }
                    }
                    halt.wait(until: Instant.now.advanced(bySeconds: Self.pause))
                }
            }
        }
    #endif

    /// Ends all reading; returns immediately, from any thread.
    package func end() { monitor.cancel() }

    /// The sensors that have signals which may be shown, in the order of the report.
    package static func sensors(of rig: LocalRig, in assessment: Assessment) -> [Sensor] {
        guard case .live = rig.options.source, rig.options.account == nil,
            rig.options.subject == nil
        else { return [] }
        let (motion, location) = (assessment.authorizations.motion, assessment.authorizations.location)
        // Attributes need no permission of the system's, but a grant or the policy may deny them.
        let mayMove = motion.status.refusal == nil || motion.from == .access
        let mayLocate = location.status.refusal == nil
        return assessment.sensors.filter { sensor in
            switch sensor.kind {
            case .accelerometer, .gyroscope: sensor.driver == "iio" && sensor.reading != nil && mayMove
            case .locationReceiver: sensor.driver == "gpsd" && mayLocate
            default: false
            }
        }
    }
}

package import DriverKit
package import Readiness

extension MotionMeter {
    /// Seconds after which a sample of a hub is given up.
    private static let patience = 1.0

    /// Reads the attributes of the sensors, at most so often a second, until `halt` is woken; blocks.
    ///
    /// For somebody who looks: it writes nothing and opens no node, so that it disturbs no program that captures. A
    /// sample's time is in nanoseconds on CLOCK_MONOTONIC. Throws the error that ends it, such as EBUSY while another
    /// program captures, or `timedOut` after a sample of a hub that took a second; a slow chip is waited for.
    package func readSignals(
        in world: any World, hertz: Double, until halt: Waker,
        _ deliver: (_ sensor: Sensor, _ axes: AxesReading, _ time: Int64) -> Void
    ) throws(DriverError) {
        let interrupter = try ReadInterrupter()
        func reading<Answer>(_ read: () throws(DriverError) -> Answer) throws(DriverError) -> Answer {
            device.isPartOfHub ? try interrupter.reading(of: name, seconds: Self.patience, read) : try read()
        }
        let sources = try plans.map { plan throws(DriverError) in
            try reading { () throws(DriverError) in
                try AttributeSampleSource(
                    [plan], of: device, hertz: hertz, in: world, because: "only attributes are read")
            }
        }
        do throws(DriverError) {
            while let due = sources.map(\.next).min() {
                halt.wait(until: due)
                for (sensor, source) in zip(sensors, sources) {
                    let samples = try reading { () throws(DriverError) in try source.samples(until: .now, halt) }
                    for (_, sample) in samples { deliver(sensor, sample.axes, sample.time) }
                }
            }
        } catch {
            if error.code != .cancelled { throw error }
        }
    }
}

/// Passes on samples of a device at the requested rate.
package struct Decimation: Sendable {
    private let interval: Double
    /// The time between two samples of the device.
    private let step: Double
    private var due: Double?

    /// Takes the requested interval and the device's, both in seconds; at nearly equal intervals every sample passes.
    package init(interval: Double, step: Double) {
        self.interval = interval
        self.step = step
    }

    /// Whether the sample at this time, in seconds, is wanted.
    package mutating func passes(_ time: Double) -> Bool {
        guard interval > step * 1.33 else { return true }
        // Of two samples the nearer to the due time is used, so an early one waits for half an interval at most. After
        // a clock was set back it starts again.
        if let due, time > due - interval * 2, time + step / 2 < due { return false }
        let next = (due ?? time) + interval
        due = time < next && next < time + interval * 2 ? next : time + interval
        return true
    }
}

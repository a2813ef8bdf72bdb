/// Lets through as many samples as were asked for of those that a device gives.
package struct Decimation: Sendable {
    private let interval: Double
    /// The time between two samples of the device.
    private let step: Double
    private var due: Double?

    /// Makes one for a wish and a pace, both in seconds; what is about as slow as wished goes through whole.
    package init(interval: Double, step: Double) {
        self.interval = interval
        self.step = step
    }

    /// Whether the sample of this moment, in seconds, is one of those wanted.
    package mutating func passes(_ time: Double) -> Bool {
        guard interval > step * 1.33 else { return true }
        // Of two samples the one nearest to the moment counts, so an early one waits for half a step at most. A clock
        // that was set back begins anew.
        if let due, time > due - interval * 2, time + step / 2 < due { return false }
        let next = (due ?? time) + interval
        due = time < next && next < time + interval * 2 ? next : time + interval
        return true
    }
}

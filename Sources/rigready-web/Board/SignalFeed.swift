internal import DriverKit
internal import LocalRig
internal import Measurement
internal import Rendering
internal import Synchronization
internal import SystemPackage

/// Gathers the signals of a rig and sends them twenty times a second, as server-sent events `signal`.
final class SignalFeed: Sendable {
    /// Seconds between two events.
    private static let pause = 0.05
    /// The most samples of a sensor in one event.
    private static let sampleLimit = 50

    var names: [String] { signals.sensors.map(\.signalName) }
    private let signals: LiveSignals

    /// Starts; `send` is called on a thread of its own.
    init(
        _ rig: LocalRig, of sensors: [Sensor], by readers: LiveSignals.Readers,
        _ send: @escaping @Sendable (String) -> Void
    ) throws(DriverError) {
        let gathered = Gathered()
        signals = try LiveSignals(rig, of: sensors, by: readers) { gathered.add($0) }
        let isStarted = Worker.start { [halt = signals.halt] in
            while !halt.wait(until: Instant.now.advanced(bySeconds: Self.pause)) {
                if let event = gathered.takeEvent() { send(event) }
            }
        }
        if !isStarted { throw DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread") }
    }

    /// Ends at once; no event is sent after the next one.
    func end() { signals.end() }

    private final class Gathered: Sendable {
        private struct Signals {
            var motion: [String: SignalEvent.Motion] = [:]
            var skies: [String: SignalEvent.SkyView] = [:]
            var failures: [String: SignalEvent.Failure] = [:]
            var began: Int64?
        }
        private let signals = Mutex(Signals())

        func add(_ signal: LiveSignals.Signal) {
            signals.withLock { signals in
                switch signal {
                case .motion(let sensor, let axes, let time):
                    let began = signals.began ?? time
                    signals.began = began
                    var motion = signals.motion[sensor.signalName] ?? SignalEvent.Motion(sensor, axes.unit)
                    guard motion.samples.count < SignalFeed.sampleLimit else { return }
                    let milliseconds = Double(time - began) / 1e6
                    motion.samples.append(
                        [milliseconds.rounded()] + [axes.x, axes.y, axes.z].map { $0.map(SignalEvent.rounded) })
                    signals.motion[sensor.signalName] = motion
                case .satellites(let sensor, let satellites):
                    signals.skies[sensor.signalName] = SignalEvent.SkyView(sensor, satellites)
                case .failure(let sensor, let reason):
                    let name = sensor.signalName
                    signals.failures[name] = SignalEvent.Failure(id: name, reason: reason.singleLine)
                }
            }
        }

        func takeEvent() -> String? {
            let event = signals.withLock { signals -> SignalEvent? in
                let event = SignalEvent(
                    motion: signals.motion.values.sorted { $0.id < $1.id },
                    sky: signals.skies.values.sorted { $0.id < $1.id },
                    failures: signals.failures.values.sorted { $0.id < $1.id })
                (signals.motion, signals.skies, signals.failures) = ([:], [:], [:])
                return event.isEmpty ? nil : event
            }
            guard let event, let text = try? String(json: event, onOneLine: true) else { return nil }
            return ServerSentEvent.text("signal", data: String(text.dropLast()))
        }
    }
}

/// The data of the event `signal`.
struct SignalEvent: Encodable {
    /// Samples of a motion sensor, each the milliseconds since the first one, then x, y and z.
    struct Motion: Encodable {
        var id, kind, name, unit: String
        var samples: [[Double?]] = []

        init(_ sensor: Sensor, _ unit: AxesReading.Unit) {
            id = sensor.signalName
            kind = sensor.kind.title
            name = (sensor.label ?? sensor.name).singleLine
            self.unit = unit.rawValue
        }
    }

    /// The satellites of a receiver.
    struct SkyView: Encodable {
        struct Seen: Encodable {
            var number: Int?
            var elevation, azimuth, signal: Double?
            var used: Bool
        }
        var id, name: String
        var satellites: [Seen]

        init(_ sensor: Sensor, _ satellites: [Satellite]) {
            id = sensor.signalName
            name = (sensor.label ?? sensor.name).singleLine
            self.satellites = satellites.map { satellite in
                Seen(
                    number: satellite.number, elevation: satellite.elevation?.rounded(),
                    azimuth: satellite.azimuth?.rounded(), signal: satellite.signal?.rounded(), used: satellite.isUsed)
            }
        }
    }

    /// Why a sensor says nothing at present.
    struct Failure: Encodable {
        var id, reason: String
    }

    var motion: [Motion]
    var sky: [SkyView]
    var failures: [Failure]

    var isEmpty: Bool { motion.isEmpty && sky.isEmpty && failures.isEmpty }

    /// Four decimals: finer than any of these sensors.
    static func rounded(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }
}

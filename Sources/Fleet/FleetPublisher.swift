package import LocalRig
internal import DriverKit
package import Readiness
internal import Synchronization

/// Publishes what a watched rig can do to an MQTT broker, in a thread of its own.
///
/// No call waits for a broker, and only the newest assessment is kept for one. Brokers are tried in turn; after each round
/// that fails it waits 1, 2, 4 … 30 seconds, spread so that the rigs of a lab do not come back at one moment.
package final class FleetPublisher: Sendable {
    package enum LogLevel: Sendable {
        case notice
        case warning
    }

    struct State {
        var assessment: Assessment?
        var revision = 0
        /// When the watch last confirmed that it runs.
        var confirmed = Instant.now
        var isEnding = false
    }

    /// Seconds that a connection may take.
    private static let patience = 5.0
    /// Seconds to wait after the first, second … round that failed.
    private static let delays = [1.0, 2, 4, 8, 16, 30]

    let name: RigName
    let isAnnounced: Bool
    let log: @Sendable (LogLevel, String) -> Void
    let state = Mutex(State())
    /// Woken by a new assessment, and by the end.
    let news: Waker
    /// Woken by the end alone.
    private let end: Waker
    private let over: Waker
    private let brokers: BrokerConfiguration

    /// Prepares to publish to the brokers of a configuration; throws if its files cannot be read.
    ///
    /// `isAnnounced` has Home Assistant show the rig as a device. `log` is called from the publisher's thread, and never
    /// with a secret.
    package init(
        as name: RigName, to brokers: BrokerConfiguration, isAnnounced: Bool = false,
        log: @escaping @Sendable (LogLevel, String) -> Void
    ) throws(BrokerError) {
        self.name = name
        self.brokers = brokers
        self.isAnnounced = isAnnounced
        self.log = log
        news = try MQTTConnection.waker()
        end = try MQTTConnection.waker()
        over = try MQTTConnection.waker()
        // Its files are read again at each connection.
        _ = try BrokerCredentials(brokers)
        if let warning = brokers.passwordWarning { log(.warning, warning) }
    }

    package func start() throws(BrokerError) {
        guard Worker.start({ self.run() }) else {
            throw BrokerError(.unsupported, nil, "the system cannot start a thread")
        }
    }

    /// Publishes an assessment as soon as a broker can be reached; takes the place of one that still waits for that.
    package func publish(_ assessment: Assessment) {
        state.withLock { state in
            state.assessment = assessment
            state.revision += 1
            state.confirmed = .now
        }
        news.wake()
    }

    /// Confirms that the watch runs; without it, the publisher no longer renews the topic `seen`.
    package func confirm() { state.withLock { $0.confirmed = .now } }

    /// Publishes that the rig is offline, if a broker is connected, and ends; waits at most `seconds`.
    package func end(within seconds: Double) {
        state.withLock { $0.isEnding = true }
        news.wake()
        end.wake()
        over.wait(until: .now.advanced(bySeconds: seconds))
    }

    // MARK: The thread

    private var isEnding: Bool { state.withLock(\.isEnding) }

    private func run() {
        var (next, failures) = (0, 0)
        var complaint = ""
        while !isEnding {
            var errors: [BrokerError] = []
            var wasPublishing = false
            for _ in brokers.urls where !isEnding && !wasPublishing {
                let url = brokers.urls[next]
                next = (next + 1) % brokers.urls.count
                do throws(BrokerError) {
                    let connection = try connect(to: url)
                    var session = PublisherSession(connection, of: self)
                    defer { wasPublishing = session.isComplete }
                    try session.serve()
                } catch {
                    errors.append(error)
                }
            }
            if isEnding { break }
            failures = wasPublishing ? 0 : failures + 1
            let words = errors.map(\.description).joined(separator: "; ")
            if words != complaint || wasPublishing { log(.warning, "not publishing: \(words); retrying") }
            complaint = wasPublishing ? "" : words
            end.wait(until: .now.advanced(bySeconds: Self.delay(after: failures)))
        }
        over.wake()
    }

    private func connect(to url: BrokerURL) throws(BrokerError) -> MQTTConnection {
        // Of this process alone: a broker disconnects the other client of one identifier.
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        let will = MQTTMessage(topic: FleetTopic.state.path(of: name), payload: Array(FleetTopic.offline.utf8))
        return try MQTTConnection.open(
            url, try BrokerCredentials(brokers), id: "rigready-\(name)-\(mark)", will: will,
            messageLimit: FleetReport.limit, waker: end, until: .now.advanced(bySeconds: Self.patience))
    }

    /// Seconds to wait, spread: up to one after a connection that worked, else half to one and a half times a delay.
    private static func delay(after failures: Int) -> Double {
        guard failures > 0 else { return .random(in: 0...1) }
        return min(delays[min(failures, delays.count) - 1] * .random(in: 0.5...1.5), 30)
    }
}

public import Readiness
internal import SystemPackage

/// Looks for some kinds of sensor.
public protocol Driver: Sendable {
    /// The name in reports, such as `iio`.
    var name: String { get }
    /// The kinds of sensor that it looks for.
    var kinds: [SensorKind] { get }
    /// The kinds of sensor that it may come across without looking for them: that it has found none says nothing.
    var incidentalKinds: [SensorKind] { get }
    /// The cause if the driver as a whole does not answer before the deadline: `unreachable` if a daemon or another
    /// machine serves it, else `indeterminate`.
    var causeWhenStalled: Cause { get }
    /// The time that this driver may take beyond the probe's own limit, because the user requested it; zero for most.
    var patience: Duration { get }
    /// Starts a session; may block up to the deadline.
    func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session
    /// The sources of changes, each with its own thread while the rig is watched; empty if there are none.
    var changeSources: [ChangeSource] { get }
    /// The subsystems whose udev events it listens to.
    var eventSubsystems: Set<String> { get }
    /// Opens an endpoint on this machine; nil for one that is not this driver's.
    ///
    /// Called only by the live world: a driver asks its `World`.
    func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)?
    /// Removes personal data from the frames of its endpoints; nil if replacing known text is enough.
    var anonymizer: (any FrameAnonymizer)? { get }
}

/// One source of changes: listens until the monitor is cancelled, or throws the error that ends it.
///
/// Missed events (a buffer that overflowed, a peer that was away) are reported as a change like any other.
public typealias ChangeSource = @Sendable (any World, ChangeMonitor) throws(DriverError) -> Void

extension Driver {
    /// No kinds.
    public var incidentalKinds: [SensorKind] { [] }
    /// No time beyond the probe's limit.
    public var patience: Duration { .zero }
    /// No sources of changes.
    public var changeSources: [ChangeSource] { [] }
    /// No subsystems.
    public var eventSubsystems: Set<String> { [] }
    /// No endpoints.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        nil
    }
    /// No anonymizer.
    public var anonymizer: (any FrameAnonymizer)? { nil }
}

/// One conversation with one subsystem.
///
/// Every method may block, so each runs on a thread that can be abandoned; the result of an abandoned call is
/// discarded.
public protocol Session: AnyObject, Sendable {
    /// Lists the sensors without asking them; must not touch what can hang on a bus.
    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration
    /// How long asking a sensor takes at its own sampling rate; nil if unknown. Called once before `look`, on its thread.
    ///
    /// May read a setting of the sensor, but nothing that waits for a sample.
    func readingTime(of candidate: SensorCandidate, until deadline: Instant) -> ReadingTime?
    /// Asks one sensor as deep as requested. Never throws: an error becomes the sensor's own availability.
    /// Called for each candidate that is open; calls for candidates of different groups may run at the same time.
    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding
    /// What a sensor that is being asked has said so far, in one clause, such as what a receiver sees; nil if nothing.
    ///
    /// May be called from any thread, and must not wait.
    func progress(of candidate: SensorCandidate) -> String?
    /// Makes waiting calls return soon; may be called from any thread.
    func cancel()
}

extension Session {
    /// Unknown.
    public func readingTime(of candidate: SensorCandidate, until deadline: Instant) -> ReadingTime? { nil }
    /// Nothing.
    public func progress(of candidate: SensorCandidate) -> String? { nil }
}

/// What a driver found before it asked any sensor.
public struct Enumeration: Sendable, Equatable {
    /// The sensors found, each to be asked or already known to be unavailable.
    public var candidates: [SensorCandidate]
    /// What prevented looking for kinds of sensor; empty means that the enumeration is complete.
    public var obstacles: [Obstacle]
    /// The notices about the rig.
    public var notices: [Notice]
    /// Whether this user has access to what the driver asks.
    public var access: Access
    /// The evidence for `access`.
    public var accessEvidence: Evidence?
    /// What would fix `access`.
    public var accessRemedies: [Remedy]
    /// What was searched, as evidence of an absence: the folder or peer, and what it listed.
    public var searched: Evidence?
    /// `ok`, or why the driver could not do its work (`failed`, `unavailable`) with the reason.
    public var state: DriverReport.State
    /// The reason of `state`.
    public var detail: String?
    /// Whether an answer is missing only because it did not come in time, so that a watch asks again.
    package var isWorthRepeating = false
    /// Whether `access` is unknown only because the answer that shows it did not come in time.
    package var isAccessLate = false

    /// Makes an enumeration.
    public init(
        candidates: [SensorCandidate] = [], obstacles: [Obstacle] = [], notices: [Notice] = [],
        access: Access = .unknown,
        accessEvidence: Evidence? = nil, accessRemedies: [Remedy] = [], searched: Evidence? = nil,
        state: DriverReport.State = .ok, detail: String? = nil
    ) {
        self.candidates = candidates
        self.obstacles = obstacles
        self.notices = notices
        self.access = access
        self.accessEvidence = accessEvidence
        self.accessRemedies = accessRemedies
        self.searched = searched
        self.state = state
        self.detail = detail
    }
}

/// A sensor that was found and not asked yet.
public struct SensorCandidate: Sendable, Equatable {
    /// The sensor as listed; reported unchanged if nothing more is asked of it.
    public var sensor: Sensor
    /// Whether `look` can find more; false for a chip without a driver, for instance.
    public var isOpen: Bool
    /// A number for the session's own use.
    public var token: Int
    /// What it shares with other candidates, such as one chip; nil if it shares nothing.
    ///
    /// Candidates of a group are never read at the same time, and one that does not answer delays the others.
    public var group: String?

    /// Makes a candidate.
    public init(_ sensor: Sensor, isOpen: Bool = true, token: Int = 0, group: String? = nil) {
        self.sensor = sensor
        self.isOpen = isOpen
        self.token = token
        self.group = group
    }
}

/// A sensor as asked, and the notices that result.
public struct Finding: Sendable, Equatable {
    /// The sensor.
    public var sensor: Sensor
    /// The notices about the rig.
    public var notices: [Notice]
    /// Other sensors of its device, which only show while that is asked, such as the gyroscope in a receiver.
    ///
    /// Each has a key that no other sensor of its kind has.
    public var others: [Sensor]

    /// Makes a finding.
    public init(_ sensor: Sensor, notices: [Notice] = [], others: [Sensor] = []) {
        self.sensor = sensor
        self.notices = notices
        self.others = others
    }
}

extension [SensorKind] {
    /// What prevents looking for each of these kinds.
    package func obstacles(
        _ cause: Cause, _ detail: String, remedies: [Remedy], evidence: [Evidence]
    ) -> [Obstacle] {
        map { Obstacle(kind: $0, cause: cause, detail: detail, remedies: remedies, evidence: evidence) }
    }
}

extension Sensor {
    /// Notes why it is not available, and what would make it so.
    package mutating func fail(_ cause: Cause, _ detail: String, _ remedies: [Remedy]) {
        (availability, self.detail, self.remedies) = (.unavailable(cause), detail, remedies)
    }

    /// Notes that the operating system denies this user the value itself, and what would permit it.
    ///
    /// `evidence` is what was observed of that; nil leaves what is known of the access.
    package mutating func deny(_ remedies: [Remedy], because evidence: Evidence? = nil) {
        (access, isValueDenied) = (.denied, true)
        accessEvidence = evidence ?? accessEvidence
        (self.remedies, accessRemedies) = (remedies, remedies)
    }
}

extension Result<NodeStatus, DriverError> {
    package var access: Access {
        switch self {
        case .success(let status): status.readable ? .readable : .denied
        case .failure(let error): error.isDenied ? .denied : .unknown
        }
    }

    /// The status as evidence about the sensor with a key.
    package func evidence(at path: String, of key: String) -> Evidence {
        switch self {
        case .success(let status):
            Evidence(
                sensor: key, path: path, errno: status.readable ? nil : (status.refusal ?? .permissionDenied).name,
                said: status.clause)
        case .failure(let error): error.evidence(of: key)
        }
    }
}

/// How long reading a sensor takes at its own sampling rate.
public struct ReadingTime: Sendable, Equatable {
    /// The duration of one reading.
    public var duration: Duration
    /// The reason in one clause, such as `samples at 1 Hz: three axes take 6 s`.
    public var reason: String
    /// Whether the sensor is known to take that long; false for an upper bound.
    public var isExact: Bool
    /// What makes the sensor sample faster.
    public var remedies: [Remedy]

    /// Makes a reading time.
    public init(_ duration: Duration, reason: String, isExact: Bool = true, remedies: [Remedy] = []) {
        self.duration = duration
        self.reason = reason
        self.isExact = isExact
        self.remedies = remedies
    }
}

extension Enumeration {
    /// The most candidates of a driver in one probe, and the most obstacles.
    public static let candidateLimit = 1024

    /// Whether there are more candidates or obstacles than a probe uses, so that a driver need not look for others.
    public var isFull: Bool { max(candidates.count, obstacles.count) > Self.candidateLimit }

    /// Gives every sensor a key that no other of its kind has: the second with a key gets `#2`, with a notice.
    public mutating func makeKeysDistinct() {
        struct KeyIdentity: Hashable {
            var kind: SensorKind
            var key: String
        }
        // The number of the last sensor with each key in use.
        var counts: [KeyIdentity: Int] = [:]
        counts.reserveCapacity(candidates.count)
        for index in candidates.indices {
            let own = KeyIdentity(kind: candidates[index].sensor.kind, key: candidates[index].sensor.key)
            guard let last = counts.updateValue(1, forKey: own) else { continue }
            let sensor = candidates[index].sensor
            var count = last
            var key = sensor.key
            repeat {
                count += 1
                key = "\(sensor.key)#\(count)"
            } while counts[KeyIdentity(kind: sensor.kind, key: key)] != nil
            counts[KeyIdentity(kind: sensor.kind, key: key)] = 1
            counts[own] = count
            candidates[index].sensor.key = key
            if sensor.accessEvidence?.sensor != nil { candidates[index].sensor.accessEvidence?.sensor = key }
            for place in sensor.evidence.indices where sensor.evidence[place].sensor != nil {
                candidates[index].sensor.evidence[place].sensor = key
            }
            notices.append(
                Notice(
                    .duplicateKey, sensor: key,
                    detail:
                        "\(count) \(sensor.kind.title)s have the key \(sensor.key); only their order distinguishes them"
                ))
        }
    }
}

public import Readiness

extension Recording {
    /// The rig and the options of the probe: the first line of the file.
    public struct Header: Codable, Sendable, Equatable {
        private enum CodingKeys: String, CodingKey {
            case version, takenAt, host, kernel, boot, user, uid, drivers, depth, gpsd, iio, timeout, longest, waitFix
            case measured, measuredRate, measuredMotion, measuredPinned
            case grants, policy, circumstances, subject
            case hasSudo = "sudo"
            case isAnonymized = "anonymized"
        }

        /// The version of RigReady that wrote it.
        package var version: String
        /// The time, in UTC.
        package var takenAt: String
        /// The host's name.
        package var host: String
        /// The kernel's release.
        package var kernel: String
        /// The boot's identifier.
        package var boot: String
        /// The user's name.
        package var user: String
        /// The user's number.
        package var uid: UInt32
        /// Whose access was evaluated in place of a user's, as `AccessSubject.id`; nil for a user.
        package var subject: String?
        /// The names of the drivers that asked, in their order.
        package var drivers: [String]
        /// The depth of the probe; the recording cannot answer a deeper one.
        package var depth: Depth
        /// The address of gpsd, as `HOST:PORT`.
        package var gpsd: String
        /// The URIs of the libiio contexts that were asked next to the local one.
        package var iio: [String]
        /// The time limit of the probe in seconds.
        package var timeout: Double
        /// The time limit in seconds of sensors whose own sampling rate needs more; nil if they had no more.
        package var longest: Double?
        /// Seconds that the location driver was given for a fix.
        package var waitFix: Double
        /// Seconds of the capture for a measurement; nil if the recording holds none.
        package var measured: Double?
        /// The sampling rate in Hz that was set meanwhile; nil if each device kept its own.
        package var measuredRate: Double?
        /// Whether a person was guided through `GuidedMotion` meanwhile; nil for no.
        package var measuredMotion: Bool?
        /// Whether pinned sensors alone were captured; nil for no.
        package var measuredPinned: Bool?
        /// The requirements on a position, which decided how long receivers were watched.
        package var criteria = FixCriteria()
        /// Whether the machine has `sudo`; nil if that was not recorded.
        package var hasSudo: Bool?
        /// The user's decisions about permissions; nil if there were none.
        package var grants: File?
        /// The decisions of the system's owner; nil if there were none.
        package var policy: File?
        /// The time and login session in which they were evaluated.
        package var circumstances: RecordedContext?
        /// Whether `anonymized` made it.
        package internal(set) var isAnonymized = false

        /// Makes a header of this version.
        public init(
            version: String, takenAt: String, host: String, kernel: String, boot: String, user: String, uid: UInt32,
            drivers: [String], depth: Depth, gpsd: String, iio: [String], timeout: Double,
            waitFix: Double, criteria: FixCriteria
        ) {
            self.version = version
            self.takenAt = takenAt
            self.host = host
            self.kernel = kernel
            self.boot = boot
            self.user = user
            self.uid = uid
            self.drivers = drivers
            self.depth = depth
            self.gpsd = gpsd
            self.iio = iio
            self.timeout = timeout
            self.waitFix = waitFix
            self.criteria = criteria
        }
    }

    /// A small file with decisions, as it was read.
    package struct File: Codable, Sendable, Equatable {
        /// Its name, as in evidence.
        package var file: String
        /// Its contents.
        package var text: String
        /// The arguments that name it in a command, as in remedies; nil for one in its default place.
        package var option: String?

        /// Makes a file.
        package init(file: String, text: String, option: String? = nil) {
            self.file = file
            self.text = text
            self.option = option
        }
    }

    /// What the lifetime of a grant is measured by; the boot is in the header.
    package struct RecordedContext: Codable, Sendable, Equatable {
        /// Seconds since the boot.
        package var uptime: Double
        /// The login session of the process, if it had one.
        package var session: String?
        /// The login sessions that existed, sorted.
        package var sessions: [String]

        /// Makes a context.
        package init(uptime: Double, session: String?, sessions: [String]) {
            self.uptime = uptime
            self.session = session
            self.sessions = sessions
        }
    }

    /// A header as encoded in the file.
    struct HeaderLine {
        var header: Header
        /// How many lines follow, so that a file that was cut between two of them is detected.
        var entries: Int
    }
}

extension Recording.HeaderLine: Codable {
    private enum CodingKeys: String, CodingKey { case schema, entries, grants, policy, circumstances }

    init(from decoder: any Decoder) throws {
        header = try Recording.Header(from: decoder)
        header.criteria = try FixCriteria(from: decoder)
        header.applyLimits()
        entries = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .entries)
    }

    func encode(to encoder: any Encoder) throws {
        var header = header
        header.applyLimits()
        try header.encode(to: encoder)
        try header.criteria.encode(to: encoder)
        var line = encoder.container(keyedBy: CodingKeys.self)
        try line.encode(Recording.schema, forKey: .schema)
        try line.encode(entries, forKey: .entries)
        // Null where nothing was decided.
        try line.encode(header.grants, forKey: .grants)
        try line.encode(header.policy, forKey: .policy)
        try line.encode(header.circumstances, forKey: .circumstances)
    }
}

extension Recording.Header {
    /// Limits the times of the probe and the names, which a file can state at will.
    fileprivate mutating func applyLimits() {
        func limited(_ seconds: Double, to limit: Double) -> Double {
            seconds.isFinite ? min(max(seconds, 0), limit) : 0
        }
        timeout = limited(timeout, to: 3600)
        longest = longest.flatMap { $0.isFinite ? limited($0, to: 3600) : nil }
        waitFix = limited(waitFix, to: 86_400)
        measured = measured.map { limited($0, to: 86_400) }
        criteria.maximumAge = min(criteria.maximumAge, .seconds(86_400 * 365))
        for name in [\Self.host, \.kernel, \.boot, \.user, \.version, \.takenAt] {
            self[keyPath: name] = String(String.UnicodeScalarView(self[keyPath: name].unicodeScalars.prefix(256)))
        }
    }
}

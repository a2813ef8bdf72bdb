public import Readiness

extension Recording {
    /// The rig and the options of the probe: the first line of the file.
    public struct Header: Codable, Sendable, Equatable {
        private enum CodingKeys: String, CodingKey {
            case version, takenAt, host, kernel, boot, user, uid, drivers, depth, gpsd, iio, timeout, longest, waitFix
            case measured, measuredRate, measuredMotion, measuredPinned
            case grants, policy, circumstances
            case hasSudo = "sudo"
            case isAnonymized = "anonymized"
        }

        /// The version of RigReady that wrote it.
        public var version: String
        /// The time, in UTC.
        public var takenAt: String
        /// The host's name.
        public var host: String
        /// The kernel's release.
        public var kernel: String
        /// The boot's identifier.
        public var boot: String
        /// The user's name.
        public var user: String
        /// The user's number.
        public var uid: UInt32
        /// The names of the drivers that asked, in their order.
        public var drivers: [String]
        /// The depth of the probe; the recording cannot answer a deeper one.
        public var depth: Depth
        /// The address of gpsd, as `HOST:PORT`.
        public var gpsd: String
        /// The URIs of the libiio contexts that were asked next to the local one.
        public var iio: [String]
        /// The time limit of the probe in seconds.
        public var timeout: Double
        /// The time limit in seconds of sensors whose own sampling rate needs more; nil if they had no more.
        public var longest: Double?
        /// Seconds that the location driver was given for a fix.
        public var waitFix: Double
        /// Seconds of the capture for a measurement; nil if the recording holds none.
        public var measured: Double?
        /// The sampling rate in Hz that was set meanwhile; nil if each device kept its own.
        public var measuredRate: Double?
        /// Whether a person was guided through `GuidedMotion` meanwhile; nil for no.
        public var measuredMotion: Bool?
        /// Whether pinned sensors alone were captured; nil for no.
        public var measuredPinned: Bool?
        /// The requirements on a position, which decided how long receivers were watched.
        public var criteria = FixCriteria()
        /// Whether the machine has `sudo`; nil if that was not recorded.
        public var hasSudo: Bool?
        /// The user's decisions about permissions; nil if there were none.
        public var grants: File?
        /// The decisions of the system's owner; nil if there were none.
        public var policy: File?
        /// The time and login session in which they were evaluated.
        public var circumstances: RecordedContext?
        /// Whether `anonymized` made it.
        public internal(set) var isAnonymized = false

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
    public struct File: Codable, Sendable, Equatable {
        /// Its name, as in evidence.
        public var file: String
        /// Its contents.
        public var text: String
        /// The arguments that name it in a command, as in remedies; nil for one in its default place.
        public var option: String?

        /// Makes a file.
        public init(file: String, text: String, option: String? = nil) {
            self.file = file
            self.text = text
            self.option = option
        }
    }

    /// What the lifetime of a grant is measured by; the boot is in the header.
    public struct RecordedContext: Codable, Sendable, Equatable {
        /// Seconds since the boot.
        public var uptime: Double
        /// The login session of the process, if it had one.
        public var session: String?
        /// The login sessions that existed, sorted.
        public var sessions: [String]

        /// Makes a context.
        public init(uptime: Double, session: String?, sessions: [String]) {
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

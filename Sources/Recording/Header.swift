public import Readiness

extension Recording {
    /// The rig and the options of the probe: the first line of the file.
    public struct Header: Sendable, Equatable {
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
        /// The requirements on a position, which decided how long receivers were watched.
        public var criteria: FixCriteria
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
    struct HeaderLine: Codable {
        enum Key: String, CodingKey {
            case schema, version, takenAt, host, kernel, boot, user, uid, drivers, depth, gpsd, iio, timeout, longest
            case waitFix, minFix, maxAge, simulated, anonymized, entries, grants, policy, circumstances
        }

        var header: Header
        /// How many lines follow, so that a file that was cut between two of them is detected.
        var entries: Int

        init(_ header: Header, entries: Int) {
            self.header = header
            self.entries = entries
        }

        init(from decoder: any Decoder) throws {
            let line = try decoder.container(keyedBy: Key.self)
            func value<Value: Decodable>(_ key: Key) throws -> Value { try line.decode(Value.self, forKey: key) }
            func word<Word: RawRepresentable>(_ key: Key) throws -> Word where Word.RawValue == String {
                if let word = Word(rawValue: try value(key)) { return word }
                throw DecodingError.dataCorruptedError(forKey: key, in: line, debugDescription: "")
            }
            func seconds(_ key: Key, upTo limit: Double) throws -> Double { min(max(try value(key), 0), limit) }
            header = Header(
                version: try value(.version), takenAt: try value(.takenAt), host: try value(.host),
                kernel: try value(.kernel), boot: try value(.boot), user: try value(.user), uid: try value(.uid),
                drivers: try value(.drivers), depth: try word(.depth), gpsd: try value(.gpsd), iio: try value(.iio),
                timeout: try seconds(.timeout, upTo: 3600), waitFix: try seconds(.waitFix, upTo: 86_400),
                criteria: FixCriteria(
                    minimumFix: try word(.minFix), maximumAge: try seconds(.maxAge, upTo: 86_400 * 365),
                    allowsSimulated: try value(.simulated)))
            header.longest = try line.decodeIfPresent(Double.self, forKey: .longest).map { min(max($0, 0), 3600) }
            header.grants = try line.decodeIfPresent(File.self, forKey: .grants)
            header.policy = try line.decodeIfPresent(File.self, forKey: .policy)
            header.circumstances = try line.decodeIfPresent(RecordedContext.self, forKey: .circumstances)
            header.isAnonymized = try value(.anonymized)
            entries = try value(.entries)
        }

        func encode(to encoder: any Encoder) throws {
            var line = encoder.container(keyedBy: Key.self)
            try line.encode(Recording.schema, forKey: .schema)
            try line.encode(header.version, forKey: .version)
            try line.encode(header.takenAt, forKey: .takenAt)
            try line.encode(header.host, forKey: .host)
            try line.encode(header.kernel, forKey: .kernel)
            try line.encode(header.boot, forKey: .boot)
            try line.encode(header.user, forKey: .user)
            try line.encode(header.uid, forKey: .uid)
            try line.encode(header.drivers, forKey: .drivers)
            try line.encode(header.depth.rawValue, forKey: .depth)
            try line.encode(header.gpsd, forKey: .gpsd)
            try line.encode(header.iio, forKey: .iio)
            try line.encode(header.timeout.isFinite ? header.timeout : 0, forKey: .timeout)
            try line.encodeIfPresent(header.longest.flatMap { $0.isFinite ? $0 : nil }, forKey: .longest)
            try line.encode(header.waitFix.isFinite ? header.waitFix : 0, forKey: .waitFix)
            try line.encode(header.criteria.minimumFix.rawValue, forKey: .minFix)
            let age = header.criteria.maximumAge
            try line.encode(age.isFinite ? age : 0, forKey: .maxAge)
            try line.encode(header.criteria.allowsSimulated, forKey: .simulated)
            try line.encode(header.isAnonymized, forKey: .anonymized)
            try line.encode(entries, forKey: .entries)
            try line.encode(header.grants, forKey: .grants)
            try line.encode(header.policy, forKey: .policy)
            try line.encode(header.circumstances, forKey: .circumstances)
        }
    }
}

internal import DriverKit
internal import Readiness

struct ControllerInformation: Sendable, Equatable {
    /// Whether the controller supports Low Energy, and whether that is switched on.
    enum LowEnergy: Sendable, Equatable {
        case unsupported, off, on, unknown

        /// Whether it is supported and switched on; nil if unknown.
        var isOn: Bool? { self == .unknown ? nil : self == .on }
    }

    var address: DeviceAddress
    var isPowered: Bool
    /// Empty if none is set.
    var name: String
    var lowEnergy: LowEnergy
    /// Whether rfkill keeps it off, if the source of the information tells so.
    var isBlocked = false
}

extension ControllerInformation {
    /// Parses the answer to Read Controller Information.
    ///
    /// Address (6 bytes), version, manufacturer (2), supported settings (4), current settings (4), class (3),
    /// name (249), short name (11): 280 bytes; a later kernel may append to them. Of the settings, bit 0 is powered,
    /// which is not set while the kernel keeps the controller up only temporarily (auto-off), and bit 9 Low Energy.
    init(management bytes: [UInt8]) throws(DriverError) {
        guard bytes.count >= 280, let address = DeviceAddress(bytes, at: 0), let supported = bytes.uint32(at: 9),
            let current = bytes.uint32(at: 13)
        else { throw .malformed("controller information of \(bytes.count) bytes instead of 280") }
        self.address = address
        isPowered = current & 1 == 1
        name = PeerText.line(bytes[20..<269], limit: 248) ?? ""
        lowEnergy = supported & 1 << 9 == 0 ? .unsupported : current & 1 << 9 == 0 ? .off : .on
    }

    /// Parses a `struct hci_dev_info`, the answer to HCIGETDEVINFO.
    ///
    /// Index (2 bytes), name (8), address (6), flags (4), type, features (8) and unused fields: 92 bytes. The flag
    /// HCI_UP (bit 0) equals the management interface's "powered"; bit 6 of the fifth feature byte is LE support, which is
    /// read when the controller is switched on. Whether LE is switched on is not among them.
    init(hci bytes: [UInt8]) throws(DriverError) {
        guard bytes.count == 92, let address = DeviceAddress(bytes, at: 10), let flags = bytes.uint32(at: 16),
            let features = bytes.byte(at: 25)
        else { throw .malformed("device information of \(bytes.count) bytes instead of 92", from: .hci) }
        self.address = address
        isPowered = flags & 1 == 1
        name = ""
        lowEnergy = isPowered && features & 1 << 6 == 0 ? .unsupported : .unknown
    }
}

struct MissingConfiguration: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    /// Configuration by the vendor's own tool.
    static let external = Self(rawValue: 1 << 0)
    static let address = Self(rawValue: 1 << 1)
}

extension MissingConfiguration {
    /// Parses the answer to Read Controller Configuration Information: manufacturer (2 bytes), supported and missing
    /// options (4 each).
    init(management bytes: [UInt8]) throws(DriverError) {
        guard bytes.count >= 10, let missing = bytes.uint32(at: 6) else {
            throw .malformed("configuration information of \(bytes.count) bytes instead of 10")
        }
        self.init(rawValue: missing)
    }
}

enum ControllerAnswer {
    case information(ControllerInformation)
    case unconfigured(missing: MissingConfiguration)
    case refused(ManagementStatus)
    /// No answer, or an unreadable one.
    case failed(DriverError)
    /// The kernel has it, but the management interface does not offer it.
    case withheld
    /// It was not asked, for a reason that has a fix.
    case unasked(String, remedies: [Remedy])
}

struct ControllerIndex: Sendable, Equatable {
    /// How the management interface classifies a controller, by the type in the extended list.
    enum ControllerKind: UInt8 {
        case configured = 0
        /// Needs an address or vendor configuration.
        case unconfigured = 1
        /// Only for high-speed transfers (AMP), next to a primary controller; older kernels list them.
        case alternate = 2
    }

    /// The number in `hciN`.
    let index: UInt16
    /// Nil if it is none of these.
    let kind: ControllerKind?

    /// Parses the answer to Read Extended Controller Index List: a count, then index (2 bytes), type and bus of each.
    static func parse(extended bytes: [UInt8]) throws(DriverError) -> [Self] {
        ordered(try entries(in: bytes, size: 4) { Self(index: $0, kind: ControllerKind(rawValue: bytes[$1 + 2])) })
    }

    /// Parses the answers to Read Controller Index List and Read Unconfigured Controller Index List: a count, then the
    /// index of each.
    static func parse(configured: [UInt8], unconfigured: [UInt8]) throws(DriverError) -> [Self] {
        let usable = try entries(in: configured, size: 2) { index, _ in Self(index: index, kind: .configured) }
        return ordered(
            try usable + entries(in: unconfigured, size: 2) { index, _ in Self(index: index, kind: .unconfigured) })
    }

    private static func entries(
        in bytes: [UInt8], size: Int, _ entry: (_ index: UInt16, _ offset: Int) -> Self
    ) throws(DriverError) -> [Self] {
        guard let count = bytes.uint16(at: 0), bytes.count == 2 + Int(count) * size else {
            throw .malformed("a list of \(bytes.count) bytes, which its count does not match")
        }
        return stride(from: 2, to: bytes.count, by: size).compactMap { offset in
            bytes.uint16(at: offset).map { entry($0, offset) }
        }
    }

    // Each index once: a list that repeats one would otherwise yield a controller twice.
    private static func ordered(_ list: [Self]) -> [Self] {
        var seen: Set<UInt16> = [ManagementPacket.noController]
        return list.filter { seen.insert($0.index).inserted }.sorted { $0.index < $1.index }
    }
}

package import DriverKit
package import Readiness

/// What the kernel tells of one controller.
package struct ControllerInformation: Sendable, Equatable {
    /// The settings of the management interface, by bit.
    package struct ControllerSettings: OptionSet, Sendable, Hashable {
        /// The bits.
        package let rawValue: UInt32
        /// Makes settings of their bits.
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Switched on; false while the kernel keeps it up only for the moment (auto-off).
        package static let powered = ControllerSettings(rawValue: 1 << 0)
        /// Bluetooth Low Energy.
        package static let lowEnergy = ControllerSettings(rawValue: 1 << 9)
    }

    /// Whether the controller can do Low Energy, and whether that is switched on.
    package enum LowEnergy: Sendable, Equatable { case unsupported, off, on }

    /// Its address; all zero where it has none.
    package var address: DeviceAddress
    /// Whether it is switched on.
    package var isPowered: Bool
    /// Its name; empty where nobody gave one.
    package var name: String
    /// Low Energy.
    package var lowEnergy: LowEnergy

    /// Parses the answer to Read Controller Information.
    ///
    /// Address (6 bytes), version, manufacturer (2), supported settings (4), current settings (4), class (3),
    /// name (249), short name (11): 280 bytes; a later kernel may append to them.
    package init(management bytes: [UInt8]) throws(DriverError) {
        guard bytes.count >= 280, let address = DeviceAddress(bytes, at: 0), let supported = bytes.uint32(at: 9),
            let current = bytes.uint32(at: 13)
        else { throw .malformed("controller information of \(bytes.count) bytes, of which there must be 280") }
        let settings = ControllerSettings(rawValue: current)
        self.address = address
        isPowered = settings.contains(.powered)
        name = PeerText.line(bytes[20..<269], limit: 248) ?? ""
        lowEnergy =
            if !ControllerSettings(rawValue: supported).contains(.lowEnergy) {
                .unsupported
            } else {
                settings.contains(.lowEnergy) ? .on : .off
            }
    }

    /// Parses a `struct hci_dev_info`, the answer to HCIGETDEVINFO.
    ///
    /// Index (2 bytes), name (8), address (6), flags (4), type, features (8) and what is not needed: 92 bytes. The flag
    /// HCI_UP (bit 0) equals the management interface's "powered"; bit 6 of the fifth feature byte is LE support.
    package init(hci bytes: [UInt8]) throws(DriverError) {
        guard bytes.count == 92, let address = DeviceAddress(bytes, at: 10), let flags = bytes.uint32(at: 16),
            let features = bytes.byte(at: 25)
        else {
            throw DriverError(
                .malformed, subject: Endpoint.hci.description,
                detail: "device information of \(bytes.count) bytes, of which there must be 92")
        }
        self.address = address
        isPowered = flags & 1 == 1
        name = ""
        lowEnergy = features & 1 << 6 == 0 ? .unsupported : .on
    }
}

/// What a controller waits for before it can be used.
package struct MissingConfiguration: OptionSet, Sendable, Hashable {
    /// The bits.
    package let rawValue: UInt32
    /// Makes a set of its bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Configuration by the vendor's own tool.
    package static let external = Self(rawValue: 1 << 0)
    /// A public address.
    package static let address = Self(rawValue: 1 << 1)

    /// Parses the answer to Read Controller Configuration Information: manufacturer (2 bytes), supported and missing
    /// options (4 each).
    package init(management bytes: [UInt8]) throws(DriverError) {
        guard bytes.count >= 10, let missing = bytes.uint32(at: 6) else {
            throw .malformed("configuration information of \(bytes.count) bytes, of which there must be 10")
        }
        self.init(rawValue: missing)
    }
}

/// What came of asking one controller.
package enum ControllerAnswer: Sendable, Equatable {
    /// It is told.
    case information(ControllerInformation)
    /// It needs configuration first.
    case unconfigured(missing: MissingConfiguration)
    /// The management interface said no.
    case refused(ManagementStatus)
    /// No answer, or none that can be read.
    case failed(DriverError)
    /// The kernel has it and the management interface does not offer it.
    case withheld
    /// It was not asked, for a reason that something would mend.
    case unasked(String, remedies: [Remedy])
}

internal import CBluetooth

/// An ioctl of the HCI socket: one of the two that any user may make and that change nothing.
package struct HCIRequest: RawRepresentable, Sendable, Hashable {
    /// The ioctl's number.
    package let rawValue: UInt32
    /// Makes a request.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// HCIGETDEVLIST: the controllers and their flags.
    package static let deviceList = Self(rawValue: bluetooth_ioctl_device_list)
    /// HCIGETDEVINFO: one controller.
    package static let deviceInformation = Self(rawValue: bluetooth_ioctl_device_information)

    /// Whether the kernel stays within an argument of this size: it writes as many list entries as the argument's own
    /// count says, or one `struct hci_dev_info`.
    package func fits(_ argument: [UInt8]) -> Bool {
        switch self {
        case .deviceList: argument.uint16(at: 0).map { argument.count >= 4 + 8 * Int($0) } ?? false
        case .deviceInformation: argument.count >= MemoryLayout<hci_dev_info>.size
        default: false
        }
    }
}

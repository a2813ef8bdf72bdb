internal import Linux
internal import CBluetooth
public import DriverKit
internal import Glibc
internal import SystemPackage

extension BluetoothDriver {
    /// Opens the management socket, the HCI socket or `/dev/rfkill`.
    ///
    /// Needs no privilege. Opening one of the two sockets may make the kernel load its Bluetooth core, as with every
    /// Bluetooth tool. EAFNOSUPPORT if the kernel, this network namespace or this unit has no Bluetooth sockets.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        let subject = endpoint.description
        switch endpoint {
        case .management:
            return try DescriptorChannel(try openHCISocket(bindingTo: UInt16(HCI_CHANNEL_CONTROL)), subject: subject)
        case .hci:
            return HCIChannel(try openHCISocket(bindingTo: nil))
        case .rfkill:
            do {
                let path: FilePath = "/dev/rfkill"
                let node = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
                return try DescriptorChannel(node, subject: subject)
            } catch {
                throw (error as? DriverError) ?? DriverError(errno: (error as? Errno) ?? .ioError, subject: subject)
            }
        default: return nil
        }
    }
}

private func openHCISocket(bindingTo channel: UInt16?) throws(DriverError) -> FileDescriptor {
    let subject = (channel == nil ? Endpoint.hci : .management).description
    let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(AF_BLUETOOTH, type, BTPROTO_HCI)
    guard number >= 0 else { throw DriverError(errno: .current, subject: subject) }
    let descriptor = FileDescriptor(rawValue: number)
    guard let channel else { return descriptor }
    var address = sockaddr_hci(
        hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: UInt16(HCI_DEV_NONE), hci_channel: channel)
    let outcome = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
        }
    }
    guard outcome == 0 else {
        let failure = Errno.current
        try? descriptor.close()
        throw DriverError(errno: failure, subject: subject)
    }
    return descriptor
}

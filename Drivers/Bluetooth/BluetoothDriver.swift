internal import CBluetooth
package import DriverKit
internal import Glibc
internal import Linux
package import Readiness
internal import SystemPackage

/// Finds Bluetooth controllers and why they are off, without root.
///
/// Asks the kernel's management socket, or the HCI ioctls if that does not answer, for the controllers, rfkill for the
/// cause, and bluetoothd on the system bus for this user's right to use Bluetooth; where a container or another namespace
/// has no Bluetooth sockets, for the controllers too. At depth `presence` it only lists sysfs, so keys are places there; at greater depth, a key is the controller's address. It
/// never switches anything and does not make the kernel load its Bluetooth core, unless it is unknown whether this is a
/// container: then a depth beyond `presence` may load it.
package struct BluetoothDriver: Driver {
    static let identifier = "bluetooth"

    package var name: String { Self.identifier }
    package var kinds: [SensorKind] { [.bluetoothAdapter] }
    /// `indeterminate`: no daemon serves it, so a missing answer says nothing.
    package var causeWhenStalled: Cause { .indeterminate }
    package var anonymizer: (any FrameAnonymizer)? { BluetoothAnonymizer() }

    package init() {}

    /// Starts a session without any I/O.
    package func open(_ world: any World, until deadline: Instant) -> any Session { BluetoothSession(world) }
}

extension Endpoint {
    /// The Bluetooth management control channel; a frame is one packet.
    package static let management = Endpoint("bluetooth-management", named: "the Bluetooth management socket")
    /// The HCI device ioctls; a frame sent is an ioctl's number and argument, a frame received its answer.
    package static let hci = Endpoint("bluetooth-hci", named: "the Bluetooth HCI socket")
    /// `/dev/rfkill`; a frame is one `struct rfkill_event`.
    package static let rfkill = Endpoint("rfkill", named: "/dev/rfkill")
}

// MARK: - Changes

extension BluetoothDriver {
    package var eventSubsystems: Set<String> { ["bluetooth", "rfkill"] }

    /// The management events that can change what is reported of a controller: index added and removed, new settings,
    /// unconfigured index added and removed, new configuration options, extended index added and removed.
    ///
    /// Source: BlueZ `doc/mgmt-api.txt`, "Events".
    private static let decidingEvents: Set<UInt16> = [0x0004, 0x0005, 0x0006, 0x001d, 0x001e, 0x001f, 0x0020, 0x0021]

    /// A little more than the time for which the kernel keeps a new controller on while it reports it as off.
    ///
    /// If the controller is switched on by the ioctl HCIDEVUP meanwhile, the kernel sends no event. Source: Linux
    /// `include/net/bluetooth/hci.h`, HCI_AUTO_OFF_TIMEOUT (2 s).
    private static let autoOff = Duration.milliseconds(2500)

    /// The events of the management socket, of bluetoothd and of rfkill; and udev's while a socket is missing.
    ///
    /// While the management socket is open, the kernel's Bluetooth core cannot be unloaded.
    package var changeSources: [ChangeSource] {
        @Sendable func controllers(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try listen(
                to: .management, servedBy: "/sys/class/bluetooth", in: world, monitor, settling: Self.autoOff
            ) { frame in
                guard let packet = try? ManagementPacket(parsing: frame) else { return true }
                return Self.decidingEvents.contains(packet.opcode)
            }
        }

        // bluetoothd announces that it starts and stops and, where the sockets are out of reach, what changes.
        @Sendable func daemon(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            guard monitor.depth != .presence else { return monitor.wait(.seconds(86_400 * 36_500)) }
            let isWithoutSockets = Self.isWithoutSockets(world)
            let missing: [Errno?] = [.noSuchFileOrDirectory, .connectionRefused]
            while !monitor.isCancelled {
                do throws(DriverError) {
                    try DriverKit.listen(to: .bluez, request: BusCall.watch, in: world, monitor) { frame in
                        let isChange = isWithoutSockets ? BlueZAdapters.isChange : BlueZAdapters.isStartOrStop
                        return isChange(frame) ? .findings : nil
                    }
                } catch {
                    // A machine without a bus has all else from the kernel: no event is missed.
                    guard !isWithoutSockets, missing.contains(error.errno) || error.code == .unsupported else {
                        throw error
                    }
                    monitor.wait(.seconds(60))
                }
            }
        }

        @Sendable func switches(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try listen(to: .rfkill, servedBy: "/sys/class/rfkill", in: world, monitor) { frame in
                RfkillEvent(parsing: frame)?.type == RfkillEvent.bluetooth
            }
        }
        return [deviceEvents(of: eventSubsystems, as: .findings), controllers, daemon, switches]
    }

    /// Whether the kernel's sockets are out of reach because of a container, a namespace or a unit.
    private static func isWithoutSockets(_ world: any World) -> Bool {
        let environment = ContainerEnvironment(from: world)
        if environment.isPlainHost { return false }
        do throws(DriverError) {
            _ = try world.channel(to: .management, until: world.now().advanced(bySeconds: 2))
            return false
        } catch {
            return error.errno == .addressFamilyNotSupported || error.isDenied && environment.isConfined
        }
    }

    /// Listens once the kernel provides what serves a source: opening it earlier would make the kernel load a module.
    private func listen(
        to endpoint: Endpoint, servedBy folder: FilePath, in world: any World, _ monitor: ChangeMonitor,
        settling: Duration? = nil, _ isDeciding: ([UInt8]) -> Bool
    ) throws(DriverError) {
        func isServed() -> Bool { monitor.depth != .presence && (try? world.entries(of: folder)) != nil }
        if !isServed() {
            // Looks again after each of udev's events.
            let events = try world.channel(to: .uevents, until: world.now().advanced(bySeconds: 2))
            monitor.keep(events)
            defer { monitor.drop(events) }
            while !monitor.isCancelled, !isServed() {
                do throws(DriverError) {
                    _ = try events.receive(limit: 128 << 10, until: world.now().advanced(bySeconds: 3600))
                } catch {
                    if error.code == .cancelled { return }
                    guard error.code == .timedOut || error.errno == .noBufferSpace else { throw error }
                }
            }
        }
        guard !monitor.isCancelled else { return }
        try DriverKit.listen(to: endpoint, in: world, monitor, settling: settling) {
            isDeciding($0) ? .findings : nil
        }
    }
}

// MARK: - Channels

extension BluetoothDriver {
    /// Opens the management socket, the HCI socket or `/dev/rfkill`.
    ///
    /// Needs no privilege. Opening one of the two sockets may make the kernel load its Bluetooth core, as with every
    /// Bluetooth tool. EAFNOSUPPORT if the kernel, this network namespace or this unit has no Bluetooth sockets.
    package func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        let subject = endpoint.description
        do {
            switch endpoint {
            case .management: return try DescriptorChannel(try Self.controlSocket(), subject: subject)
            case .hci: return HCIChannel(try Self.socket())
            case .rfkill:
                let path: FilePath = "/dev/rfkill"
                let node = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
                return try DescriptorChannel(node, subject: subject)
            default: return nil
            }
        } catch {
            throw (error as? DriverError) ?? DriverError(errno: (error as? Errno) ?? .ioError, subject: subject)
        }
    }

    private static func socket() throws(Errno) -> FileDescriptor {
        let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(AF_BLUETOOTH, type, BTPROTO_HCI)
        guard number >= 0 else { throw .current }
        return FileDescriptor(rawValue: number)
    }

    private static func controlSocket() throws(Errno) -> FileDescriptor {
        let descriptor = try socket()
        var address = sockaddr_hci(
            hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: UInt16(HCI_DEV_NONE),
            hci_channel: UInt16(HCI_CHANNEL_CONTROL))
        let outcome = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor.rawValue, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
            }
        }
        guard outcome == 0 else {
            let failure = Errno.current
            try? descriptor.close()
            throw failure
        }
        return descriptor
    }
}

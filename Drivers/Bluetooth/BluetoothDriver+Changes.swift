public import DriverKit
internal import Readiness
internal import SystemPackage

extension BluetoothDriver {
    /// Controllers and radio switches.
    public var eventSubsystems: Set<String> { Self.subsystems }

    fileprivate static let subsystems: Set = ["bluetooth", "rfkill"]

    /// Addresses and names in the kernel's answers.
    public var anonymizer: (any FrameAnonymizer)? { BluetoothAnonymizer() }

    /// The events of the management socket and of rfkill, and udev's while either is missing.
    ///
    /// While the management socket is open, the kernel's Bluetooth core cannot be unloaded.
    public var changeSources: [ChangeSource] {
        @Sendable func devices(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try listenToDevices(of: Self.subsystems, in: world, monitor, as: .findings)
        }

        @Sendable func controllers(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try waitUntilServed(by: "/sys/class/bluetooth", in: world, monitor)
            guard !monitor.isCancelled else { return }
            try listen(to: .management, in: world, monitor, settling: autoOff) { frame in
                guard let packet = try? ManagementPacket(parsing: frame) else { return .findings }
                return ManagementEvent.deciding.contains(packet.opcode) ? .findings : nil
            }
        }

        @Sendable func switches(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try waitUntilServed(by: "/sys/class/rfkill", in: world, monitor)
            guard !monitor.isCancelled else { return }
            try listen(to: .rfkill, in: world, monitor) { frame in
                RfkillEvent(parsing: frame)?.type == RfkillEvent.bluetooth ? .findings : nil
            }
        }
        return [devices, controllers, switches]
    }
}

/// A little more than the time for which the kernel keeps a new controller on while it reports it as off.
///
/// If the controller is switched on by the ioctl HCIDEVUP meanwhile, the kernel sends no event. Source: Linux
/// `include/net/bluetooth/hci.h`, HCI_AUTO_OFF_TIMEOUT (2 s).
private let autoOff = Duration.milliseconds(2500)

/// The management events that can change what is reported of a controller.
///
/// Source: BlueZ `doc/mgmt-api.txt`, "Events".
private enum ManagementEvent {
    /// Index added and removed, new settings, unconfigured index added and removed, new configuration options, extended
    /// index added and removed.
    static let deciding: Set<UInt16> = [0x0004, 0x0005, 0x0006, 0x001d, 0x001e, 0x001f, 0x0020, 0x0021]
}

/// Waits until the kernel provides what serves a source: opening it earlier would make the kernel load a module.
private func waitUntilServed(
    by folder: FilePath, in world: any World, _ monitor: ChangeMonitor
) throws(DriverError) {
    while !monitor.isCancelled, monitor.depth == .presence || (try? world.entries(of: folder)) == nil {
        try waitForDevice(of: BluetoothDriver.subsystems, in: world, monitor)
    }
}

/// Waits for udev's next event of some subsystems.
private func waitForDevice(
    of subsystems: Set<String>, in world: any World, _ monitor: ChangeMonitor
) throws(DriverError) {
    let channel = try world.channel(to: .uevents, until: world.now().advanced(bySeconds: 2))
    monitor.keep(channel)
    defer { monitor.drop(channel) }
    while !monitor.isCancelled {
        do throws(DriverError) {
            let frame = try channel.receive(limit: 128 << 10, until: world.now().advanced(bySeconds: 3600))
            if subsystems.contains(Properties(parsing: frame)["SUBSYSTEM"] ?? "") { return }
        } catch {
            switch error.code {
            case .timedOut: continue
            case .cancelled: return
            default: if error.errno == .noBufferSpace { return } else { throw error }
            }
        }
    }
}

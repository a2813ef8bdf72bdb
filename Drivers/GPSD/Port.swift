internal import DriverKit
internal import Synchronization
internal import SystemPackage

/// A kernel node on which a location receiver may talk: of class `gnss`, or a hardware serial port.
struct Port: Sendable, Equatable {
    /// The node, such as `/dev/ttyACM0`.
    let node: String
    /// The node and every udev link to it.
    let names: Set<String>
    /// Where it is plugged in: the name of its link in `/dev/serial/by-path`, or the parent device of a `gnss` node,
    /// without `/sys/devices/`; nil for a serial port for which udev has no place.
    private(set) var place: String?
    /// The model name of the device.
    private(set) var model: String?
    /// The receiver on it; nil for any other serial port.
    private(set) var receiver: KnownReceiver?

    /// Where it is plugged in, or else the node.
    var key: String { place ?? node }

    /// All ports, `gnss` first, without virtual terminals.
    static func all(in world: any World) throws(DriverError) -> [Port] {
        let gnss = try world.devices(in: "gnss").compactMap { Port(gnss: $0, world) }
        let serial = try world.devices(in: "tty").filter { !$0.string.hasPrefix("/sys/devices/virtual/") }
        return gnss + serial.compactMap { Port(serial: $0, world) }
    }

    private init?(gnss device: FilePath, _ world: any World) {
        self.init(device, subsystem: "gnss", world)
        // The number in gnss0 changes; its parent device does not.
        place = place ?? device.removingLastComponent().removingLastComponent().string.dropping(prefix: "/sys/devices/")
        let type = Self.word("type", in: device, world)
        receiver = KnownReceiver(name: type.map { "\($0) receiver" } ?? "GNSS receiver")
    }

    private init?(serial device: FilePath, _ world: any World) {
        self.init(device, subsystem: "tty", world)
    }

    private init?(_ device: FilePath, subsystem: String, _ world: any World) {
        guard let kernel = try? world.kernelProperties(of: device), let name = kernel["DEVNAME"] else { return nil }
        let udev = world.udevProperties(of: device, subsystem: subsystem, kernel: kernel)
        guard let node = PeerText.line("/dev/\(name)".utf8, limit: 256) else { return nil }
        self.node = node
        let links = udev.links.compactMap { PeerText.line($0.utf8, limit: 256) }
        names = Set(links + [node])
        // Newer systemd makes a second link of the form …-usbv2-…, which includes the speed of the bus.
        let folder = "/dev/serial/by-path/"
        let places = links.filter { $0.hasPrefix(folder) && $0 != folder }.sorted()
        place = (places.first { !$0.includes("-usbv") } ?? places.first)?.dropping(prefix: folder)
        model = udev["ID_MODEL"].flatMap { PeerText.line($0.split(separator: "_").joined(separator: " ").utf8) }
        var numbers = udev["ID_VENDOR_ID"].flatMap { vendor in udev["ID_MODEL_ID"].map { "\(vendor):\($0)" } }
        if numbers == nil && device.string.includes("/usb") { numbers = readUSB(above: device, world) }
        receiver = numbers.flatMap { KnownReceiver.all[$0.lowercased()] } ?? KnownReceiver(model: model)
        // A udev rule of the rig overrides the port's numbers: 1 a receiver, 0 none.
        switch udev["RIGREADY_RECEIVER"] {
        case "0": receiver = nil
        case "1": receiver = receiver?.isCertain == true ? receiver : KnownReceiver(name: model ?? "receiver")
        default: break
        }
    }

    /// Identifies the maker by the USB device above the port, if udev has no record.
    private mutating func readUSB(above device: FilePath, _ world: any World) -> String? {
        var folder = device
        for _ in 0..<5 {
            folder.removeLastComponent()
            guard let vendor = Self.word("idVendor", in: folder, world),
                let product = Self.word("idProduct", in: folder, world)
            else { continue }
            model = model ?? Self.word("product", in: folder, world)
            return "\(vendor):\(product)"
        }
        return nil
    }

    private static func word(_ name: String, in folder: FilePath, _ world: any World) -> String? {
        (try? world.contents(of: folder.appending(name), limit: 4096))
            .flatMap { PeerText.line($0.prefix { $0 != 0x0a }) }
    }
}

extension String {
    /// The text after a prefix, or all of it.
    func dropping(prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}

/// This machine's ports as last listed, kept while udev would announce a change.
final class PortCache: Sendable {
    private struct State {
        var listed: (ports: [Port], at: Instant)?
        /// Whether udev's events are received; without them nothing is kept.
        var isNotified = false
        /// How many events were received: a list from before the last one is not kept.
        var events = 0
    }
    /// Seconds for which a list is kept without an event: a container may receive none.
    private static let patience = 60.0
    private let state = Mutex(State())

    /// The ports, listed again if the list is old or udev has announced a change.
    func ports(in world: any World) throws(DriverError) -> [Port] {
        let before = state.withLock(\.self)
        let now = world.now()
        if let (ports, at) = before.listed, 0..<Self.patience ~= at.seconds(to: now) { return ports }
        let listed = try Port.all(in: world)
        state.withLock { if $0.isNotified, $0.events == before.events { $0.listed = (listed, now) } }
        return listed
    }

    /// Forgets the list after an event, or because no more events are received.
    func forget(isNotified: Bool) { state.withLock { $0 = State(isNotified: isNotified, events: $0.events + 1) } }
}

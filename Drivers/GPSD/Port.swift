internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// A kernel node on which a location receiver may talk: of class `gnss`, or a hardware serial port.
struct Port: Sendable, Equatable {
    let node: String
    /// The node and every udev link to it.
    let names: Set<String>
    /// Its folder in sysfs.
    let device: String
    /// Whether ModemManager's udev rules name it.
    let isModem: Bool
    /// Whether it is on USB, where receivers and modems are told from other devices by udev's rules.
    var isUSB: Bool { device.includes("/usb") }
    /// Where it is plugged in: the name of its link in `/dev/serial/by-path`, or the parent device of a `gnss` node,
    /// without `/sys/devices/`; nil for a serial port for which udev has no place.
    private(set) var place: String?
    private(set) var model: String?
    /// The maker's number on USB, in lower case; nil if unknown.
    private(set) var vendor: String?
    /// The receiver on it; nil for any other serial port.
    private(set) var receiver: KnownReceiver?

    var key: String { place ?? node }

    /// Whether it is a port of a modem: ModemManager's rules name serial adapters and receivers, too.
    var isOfModem: Bool { isModem && receiver == nil }

    /// All ports, `gnss` first, without virtual terminals.
    static func all(in world: any World) throws(DriverError) -> [Port] {
        let gnss = try world.devices(in: "gnss").compactMap { Port($0, subsystem: "gnss", world) }
        let serial = try world.devices(in: "tty").filter { !$0.string.hasPrefix("/sys/devices/virtual/") }
        return gnss + serial.compactMap { Port($0, subsystem: "tty", world) }
    }

    private init?(_ device: FilePath, subsystem: String, _ world: any World) {
        guard let kernel = try? world.kernelProperties(of: device), let name = kernel["DEVNAME"] else { return nil }
        let udev = world.udevProperties(of: device, subsystem: subsystem, kernel: kernel)
        guard let node = PeerText.line("/dev/\(name)".utf8, limit: 256) else { return nil }
        self.node = node
        self.device = device.string
        isModem = udev["ID_MM_CANDIDATE"] == "1"
        let links = udev.links.compactMap { PeerText.line($0.utf8, limit: 256) }
        names = Set(links + [node])
        // Newer systemd makes a second link of the form …-usbv2-…, which includes the speed of the bus.
        let folder = "/dev/serial/by-path/"
        let places = links.filter { $0.hasPrefix(folder) && $0 != folder }.sorted()
        place = (places.first { !$0.includes("-usbv") } ?? places.first)?.dropping(prefix: folder)
        model = udev["ID_MODEL"].flatMap { PeerText.line($0.split(separator: "_").joined(separator: " ").utf8) }
        var numbers = udev["ID_VENDOR_ID"].flatMap { vendor in udev["ID_MODEL_ID"].map { "\(vendor):\($0)" } }
        if numbers == nil && isUSB { numbers = readUSB(above: device, world) }
        vendor = numbers.flatMap { $0.lowercased().split(separator: ":").first.map(String.init) }
        receiver = numbers.flatMap { KnownReceiver.all[$0.lowercased()] } ?? KnownReceiver(model: model)
        // A udev rule of the rig overrides the port's numbers: 1 a receiver, 0 none.
        switch udev["RIGREADY_RECEIVER"] {
        case "0": receiver = nil
        case "1": receiver = receiver?.isCertain == true ? receiver : KnownReceiver(name: model ?? "receiver")
        default: break
        }
        guard subsystem == "gnss" else { return }
        // The number in gnss0 changes; its parent device does not.
        place = place ?? device.removingLastComponent().removingLastComponent().string.dropping(prefix: "/sys/devices/")
        receiver = KnownReceiver(name: "\(world.line(of: device.appending("type")) ?? "GNSS") receiver")
    }

    /// Identifies the maker by the USB device above the port, if udev has no record.
    private mutating func readUSB(above device: FilePath, _ world: any World) -> String? {
        var folder = device
        for _ in 0..<5 {
            folder.removeLastComponent()
            guard let vendor = world.line(of: folder.appending("idVendor")),
                let product = world.line(of: folder.appending("idProduct"))
            else { continue }
            model = model ?? world.line(of: folder.appending("product"))
            return "\(vendor):\(product)"
        }
        return nil
    }
}

extension String {
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

/// A device that is taken for a location receiver, by gpsd's udev rules or by its own name.
struct KnownReceiver: Sendable, Equatable {
    var name: String
    /// Whether no other product has these numbers; serial adapters have many uses.
    var isCertain = true
}

extension KnownReceiver {
    /// Recognises a receiver by its model name; cellular modules of the same makers are excluded.
    init?(model: String?) {
        guard let model, case let words = model.lowercased(), !words.includes("modem"),
            ["gps", "gnss", "u-blox"].contains(where: { words.includes($0) })
        else { return nil }
        self.init(name: model)
    }

    /// The devices of the rules, by USB vendor and product number.
    ///
    /// Source: gpsd 3.22, `/lib/udev/rules.d/60-gpsd.rules` as Debian 12 enables them.
    static let all: [String: KnownReceiver] = [
        "0557:2008": KnownReceiver(name: "ATEN UC-232A serial adapter", isCertain: false),
        "067b:2303": KnownReceiver(name: "Prolific PL2303 serial adapter", isCertain: false),
        "067b:aaa0": KnownReceiver(name: "PS-360"),
        "10c4:ea60": KnownReceiver(name: "CP210x serial adapter", isCertain: false),
        "10c4:ea71": KnownReceiver(name: "CP2108 serial adapter", isCertain: false),
        "1163:0100": KnownReceiver(name: "DeLorme Earthmate"),
        "1163:0200": KnownReceiver(name: "DeLorme LT-40"),
        "091e:0003": KnownReceiver(name: "Garmin GPS"),
        "1546:01a5": KnownReceiver(name: "u-blox 5"),
        "1546:01a6": KnownReceiver(name: "u-blox 6"),
        "1546:01a7": KnownReceiver(name: "u-blox 7"),
        "1546:01a8": KnownReceiver(name: "u-blox 8"),
        "1546:01a9": KnownReceiver(name: "u-blox 9"),
        "0e8d:3329": KnownReceiver(name: "MediaTek GPS"),
    ]
}

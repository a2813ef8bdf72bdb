import DriverTesting
import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

/// A simulated rig: sysfs, rfkill and a kernel that answers management commands.
struct Rig {
    var world = FakeWorld()

    init() {
        // A plain host: /sys/class is there, the first network namespace, no seccomp filter. The
        // kernel's Bluetooth is loaded: a connection stands for a class without controllers.
        world.add("/sys/class/net/lo/type", "772\n")
        world.add("/proc/sys/net/core/dev_weight", "64\n")
        world.add("/proc/sys/net/core/somaxconn", "4096\n")
        world.add("/sys/class/bluetooth/hci9:1/uevent", "DEVTYPE=link\n")
        world.add("/proc/self/status", Self.status())
        // bluetoothd runs and lets this user ask it; what it knows of the controllers is not needed.
        serve(.bluez) { FakeChannel { _ in [[]] } }
        world.add("/usr/libexec/bluetooth/bluetoothd", "")
        boot(.systemd)
    }

    /// `/proc/self/status` of a process with these capabilities.
    static func status(user: Int = 1000, capabilities: UInt64 = 0, seccomp: Int = 0) -> String {
        "Name:\trigready\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\nCapEff:\t\(String(capabilities, radix: 16))\n"
            + "Seccomp:\t\(seccomp)\nSeccomp_filters:\t\(seccomp)\n"
    }

    /// Makes this the machine's only init system.
    mutating func boot(_ manager: ServiceManager) {
        let script = "/etc/init.d/bluetooth"
        let marks: [String] =
            switch manager {
            case .systemd: ["/run/systemd/system"]
            case .openRC: ["/run/openrc", script]
            case .scripts(hasService: true): ["/usr/sbin/service", script]
            case .scripts(hasService: false): [script]
            case .none: []
            }
        for mark in ["/run/systemd/system", "/run/openrc", "/usr/sbin/service", script] {
            world.nodes[mark] =
                marks.contains(mark) ? NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true) : nil
        }
    }

    /// Makes this a container of Docker's.
    mutating func contain() { world.add("/.dockerenv", "") }

    /// Takes away the kernel's sockets and the bus.
    mutating func close(_ errno: Errno) {
        refuse(.management, errno)
        refuse(.bluez, .noSuchFileOrDirectory)
    }

    /// Makes the bus fail.
    mutating func refuseBus(_ error: DriverError) {
        @Sendable func fail() throws(DriverError) -> any Channel { throw error }
        world.channels[.bluez] = fail
    }

    /// Stops bluetoothd on a bus that runs.
    mutating func stopDaemon() { refuseBus(.unowned("org.bluez", subject: Endpoint.bluez.description)) }

    /// Makes the bus refuse a call as dbus-daemon does.
    mutating func denyBus(_ text: String) {
        refuseBus(DriverError(.refused, errno: .permissionDenied, subject: Endpoint.bluez.description, detail: text))
    }

    /// Removes the kernel's Bluetooth.
    mutating func unload() { world.files["/sys/class/bluetooth/hci9:1/uevent"] = nil }

    /// The contents of sysfs for a controller.
    mutating func list(_ name: String, at place: String = "pci0000:00/0000:00:14.0/usb1/1-7/1-7:1.0") {
        world.add("/sys/class/bluetooth/\(name)/uevent", "DEVTYPE=host\n")
        world.devices["bluetooth", default: []].append(FilePath("/sys/devices/\(place)/bluetooth/\(name)"))
    }

    mutating func addSwitch(
        _ number: Int, _ name: String, soft: Bool = false, hard: Bool = false, type: String = "bluetooth"
    ) {
        let folder = "/sys/class/rfkill/rfkill\(number)/"
        world.add(folder + "type", type + "\n")
        world.add(folder + "name", name + "\n")
        world.add(folder + "soft", soft ? "1\n" : "0\n")
        world.add(folder + "hard", hard ? "1\n" : "0\n")
    }

    /// A kernel that answers by opcode and index; other commands get no answer.
    mutating func answer(
        _ controllers: [(index: UInt8, type: UInt8)], with answers: [[UInt8]] = [], list: [[UInt8]]? = nil,
        version: [[UInt8]] = [Packets.version]
    ) {
        let lists = list ?? [Packets.extendedList(controllers)]
        respond { request in
            switch (request[0], request[2], request[3]) {
            case (0x01, 0xff, 0xff): version
            case (0x3c, 0xff, 0xff): lists
            case (let command, let index, 0):
                answers.filter { $0.count > 7 && $0[2] == index && $0[6] == command }
            default: []
            }
        }
    }

    mutating func respond(_ answer: @escaping @Sendable ([UInt8]) -> [[UInt8]]) {
        serve(.management) { FakeChannel(answer: answer) }
    }

    mutating func serve(_ endpoint: Endpoint, _ open: @escaping @Sendable () -> FakeChannel) {
        world.channels[endpoint] = { open() }
    }

    mutating func refuse(_ endpoint: Endpoint, _ errno: Errno) {
        // A closure that throws this type crashes the compiler (6.3.1); a function does not.
        @Sendable func fail() throws(DriverError) -> any Channel {
            throw DriverError(errno: errno, subject: endpoint.description)
        }
        world.channels[endpoint] = fail
    }

    /// A kernel that answers the HCI ioctls.
    mutating func answerIoctls(_ list: [UInt8], _ answers: [[UInt8]] = []) {
        serve(.hci) {
            FakeChannel { request in
                request[0] == 0xd2 ? [list] : answers.filter { $0.first == request[4] }
            }
        }
    }

    func enumeration(_ depth: Depth = .sample) throws(DriverError) -> Enumeration {
        let enumeration = try session().enumeration(depth, until: .now.advanced(bySeconds: 2))
        // Checked for each scenario of the suite.
        let omissions = enumeration.omissions()
        if !omissions.isEmpty { Issue.record("\(omissions)") }
        return enumeration
    }

    func session() throws(DriverError) -> any Session {
        BluetoothDriver().open(world, until: .now.advanced(bySeconds: 2))
    }
}

extension Enumeration {
    var sensors: [Sensor] { candidates.map(\.sensor) }
}

extension Sensor {
    var adapter: AdapterReading? {
        if case .adapter(let reading) = reading { reading } else { nil }
    }
}

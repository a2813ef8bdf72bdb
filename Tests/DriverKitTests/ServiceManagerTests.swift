import DriverKit
import Readiness
import Support
import SystemPackage
import Testing

/// How each init system starts a service.
@Suite struct ServiceManagerTests {
    private let daemon = DaemonUnit(
        "bluetooth", programs: ["/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd"],
        debianPackage: "bluez")

    private func world(_ paths: [String]) -> FakeWorld {
        var world = FakeWorld()
        for path in paths { world.nodes[path] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true) }
        return world
    }

    private func words(_ job: DaemonUnit.Job, _ paths: [String]) -> String? {
        daemon.remedies(job, in: world(paths)).words
    }

    @Test(arguments: [
        (
            "/run/systemd/system", "sudo systemctl start bluetooth", "sudo systemctl start dbus bluetooth",
            "sudo systemctl restart bluetooth"
        ),
        (
            "/run/openrc", "sudo rc-service bluetooth start",
            "sudo rc-service dbus start && sudo rc-service bluetooth start", "sudo rc-service bluetooth restart"
        ),
        (
            "/etc/init.d/bluetooth", "sudo /etc/init.d/bluetooth start",
            "sudo /etc/init.d/dbus start && sudo /etc/init.d/bluetooth start", "sudo /etc/init.d/bluetooth restart"
        ),
        (
            "/etc/init.d/other", "sudo setsid --fork /usr/lib/bluetooth/bluetoothd",
            "sudo mkdir -p /run/dbus && sudo dbus-daemon --system --fork && sudo setsid --fork "
                + "/usr/lib/bluetooth/bluetoothd", "restart bluetooth with this machine's init system"
        ),
    ])
    func `a service is started with its machine's own command`(
        mark: String, start: String, startWithBus: String, restart: String
    ) {
        let script = mark == "/run/openrc" ? ["/etc/init.d/bluetooth"] : []
        let paths = [mark, "/usr/lib/bluetooth/bluetoothd"] + script
        #expect(words(.start, paths) == start)
        #expect(words(.startWithBus, paths) == startWithBus)
        #expect(words(.restart, paths) == restart)
        // In a container only the host can start it, whatever the image holds.
        for job in [DaemonUnit.Job.start, .startWithBus, .restart] {
            let remedies = daemon.remedies(job, in: world(paths + ["/.dockerenv"]))
            guard case .advice(let text)? = remedies.first else {
                Issue.record("\(remedies)")
                continue
            }
            #expect(remedies.count == 1 && text.contains("on the host"))
        }
    }

    @Test func `systemd comes before what it is compatible with`() {
        let paths = ["/run/systemd/system", "/etc/init.d/bluetooth", "/usr/lib/bluetooth/bluetoothd"]
        #expect(words(.start, paths) == "sudo systemctl start bluetooth")
    }

    @Test func `scripts are run by the program that exists for it`() {
        for service in ["/sbin/service", "/usr/sbin/service"] {
            let paths = [service, "/etc/init.d/bluetooth", "/usr/lib/bluetooth/bluetoothd"]
            #expect(words(.start, paths) == "sudo service bluetooth start")
            #expect(words(.startWithBus, paths) == "sudo service dbus start && sudo service bluetooth start")
            #expect(words(.restart, paths) == "sudo service bluetooth restart")
        }
        let paths = ["/sbin/rc-service", "/etc/init.d/bluetooth", "/usr/lib/bluetooth/bluetoothd"]
        #expect(words(.start, paths) == "sudo rc-service bluetooth start")
    }

    @Test(arguments: [["/run/systemd/system"], ["/run/openrc"], []])
    func `a program that is not there is installed`(paths: [String]) {
        #expect(words(.start, paths) == "sudo apt-get install bluez")
        #expect(words(.startWithBus, paths) == "sudo apt-get install bluez")
    }

    @Test func `a program whose place is unknown is neither missing nor run`() {
        let service = DaemonUnit("ModemManager")
        #expect(
            service.remedies(.start, in: world(["/run/systemd/system"])).words == "sudo systemctl start ModemManager")
        #expect(
            service.remedies(.start, in: world([])).words == "start ModemManager with this machine's init system")
    }
}

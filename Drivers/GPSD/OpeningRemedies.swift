internal import DriverKit
internal import Readiness
internal import SystemPackage

/// What would make gpsd answer, given the state of the machine: a command that works when typed.
struct OpeningRemedies {
    let world: any World
    let address: GPSDAddress
    /// The nodes of receivers that the kernel shows.
    let nodes: [String]

    private static let units = ["/etc/systemd/system/gpsd.socket", "/lib/systemd/system/gpsd.socket"]

    /// For a connection that was refused or not answered.
    var remedies: [Remedy] {
        guard address.isLocal else {
            return [
                .advice(
                    "on \(address.host): let gpsd.socket listen on 0.0.0.0:\(address.port) and start it "
                        + "(-G has no effect under socket activation)"),
                .option(.gpsd),
            ]
        }
        guard let unit = Self.units.first(where: exists) else {
            guard exists("/usr/sbin/gpsd") else { return [.command("sudo apt-get install gpsd")] }
            return [.command(daemon)]
        }
        guard address.port == 2947 else { return [.command(daemon)] }
        if isIPv6Off && listensOnIPv6(unit) {
            return [
                .command(
                    "sudo mkdir -p /etc/systemd/system/gpsd.socket.d && "
                        + #"printf '[Socket]\nListenStream=\nListenStream=/run/gpsd.sock\nListenStream=127.0.0.1:2947\n' | "#
                        + "sudo tee /etc/systemd/system/gpsd.socket.d/ipv4.conf && "
                        + "sudo systemctl daemon-reload && sudo systemctl restart gpsd.socket")
            ]
        }
        // The socket file remains after the unit has failed, and starting a running unit does nothing.
        return [.command("sudo systemctl \(exists("/run/gpsd.sock") ? "restart" : "start") gpsd.socket")]
    }

    /// The same, and a receiver added to the gpsd that answers then; a gpsd started by hand already gets the nodes.
    func adding(_ node: String) -> [Remedy] {
        let remedies = remedies
        guard case .command(let line, _)? = remedies.first, line != daemon, ReceiverRemedies.isPlain(node) else {
            return remedies
        }
        return [.command("\(line) && sudo gpsdctl add \(node)")]
    }

    /// gpsd started by hand, on the requested port.
    private var daemon: String {
        (["sudo gpsd -S \(address.port) -F /run/gpsd.sock"] + nodes.filter(ReceiverRemedies.isPlain)).joined(
            separator: " ")
    }

    private func exists(_ path: String) -> Bool { (try? world.status(of: FilePath(path))) != nil }

    /// Debian's unit listens on [::1] as well, and fails as a whole if IPv6 is off.
    private func listensOnIPv6(_ unit: String) -> Bool {
        let changes = try? world.entries(of: "/etc/systemd/system/gpsd.socket.d")
        guard changes?.isEmpty ?? true,
            let text = try? world.contents(of: FilePath(unit), limit: 16 << 10)
        else { return false }
        return String(decoding: text, as: UTF8.self).includes("ListenStream=[::1]")
    }

    private var isIPv6Off: Bool {
        let switched = try? world.contents(of: "/proc/sys/net/ipv6/conf/all/disable_ipv6", limit: 16)
        return switched.map { $0.first == UInt8(ascii: "1") } ?? !exists("/proc/net/if_inet6")
    }
}

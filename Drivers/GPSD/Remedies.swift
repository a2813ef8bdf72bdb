internal import DriverKit
internal import Readiness
internal import SystemPackage

/// What would make gpsd answer, given the state of the machine: a command that works when typed.
struct OpeningRemedies {
    let world: any World
    let address: GPSDAddress
    /// The nodes of receivers that the kernel shows.
    let nodes: [String]

    private static let units: [FilePath] = ["/etc/systemd/system/gpsd.socket", "/lib/systemd/system/gpsd.socket"]

    var remedies: [Remedy] {
        guard address.isLocal else {
            return [
                .advice(
                    "on \(address.peer.host): let gpsd.socket listen on 0.0.0.0:\(address.peer.port) and start it "
                        + "(-G has no effect under socket activation)"),
                .option(.gpsd),
            ]
        }
        // A gpsd of the host listens in the host's network.
        if ContainerEnvironment.isForeign(in: world) == true {
            let network = Remedy.advice("give it the network of the host, where gpsd listens: --network host")
            return [ContainerEnvironment.container(in: world) == nil ? .option(.onHost) : network, .option(.gpsd)]
        }
        let unit = Self.units.first(where: world.exists)
        if unit == nil, !world.exists("/usr/sbin/gpsd") { return [.command("sudo apt-get install gpsd")] }
        guard let unit, address.peer.port == 2947 else { return [.command(daemon)] }
        if isIPv6Off && listensOnIPv6(unit) {
            return [
                .command(
                    #"""
                    sudo mkdir -p /etc/systemd/system/gpsd.socket.d && \#
                    printf '[Socket]\nListenStream=\nListenStream=/run/gpsd.sock\nListenStream=127.0.0.1:2947\n' | \#
                    sudo tee /etc/systemd/system/gpsd.socket.d/ipv4.conf && \#
                    sudo systemctl daemon-reload && sudo systemctl restart gpsd.socket
                    """#)
            ]
        }
        // The socket file remains after the unit has failed, and starting a running unit does nothing.
        return [
            .command(
                world.exists("/run/gpsd.sock")
                    ? "sudo systemctl restart gpsd.socket" : "sudo systemctl start gpsd.socket")
        ]
    }

    /// The same, and a receiver added to the gpsd that answers then; a gpsd started by hand already gets the nodes.
    func adding(_ node: String) -> [Remedy] {
        let remedies = remedies
        guard case .command(let command, _)? = remedies.first, command != daemon,
            let node = ReceiverRemedies.node(node)
        else { return remedies }
        return [.command("\(command) && sudo gpsdctl add \(node)")]
    }

    private var daemon: ShellCommand {
        nodes.compactMap(ReceiverRemedies.node).reduce("sudo gpsd -S \(address.peer.port) -F /run/gpsd.sock") {
            "\($0) \($1)"
        }
    }

    /// Debian's unit listens on [::1] as well, and fails as a whole if IPv6 is off.
    private func listensOnIPv6(_ unit: FilePath) -> Bool {
        let changes = try? world.entries(of: "/etc/systemd/system/gpsd.socket.d")
        guard changes?.isEmpty ?? true,
            let text = try? world.contents(of: unit, limit: 16 << 10)
        else { return false }
        return String(decoding: text, as: UTF8.self).includes("ListenStream=[::1]")
    }

    private var isIPv6Off: Bool {
        let switched = try? world.contents(of: "/proc/sys/net/ipv6/conf/all/disable_ipv6", limit: 16)
        return switched.map { $0.first == UInt8(ascii: "1") } ?? !world.exists("/proc/net/if_inet6")
    }
}

/// What fixes a receiver, or access to it: a command if one works when typed, else advice in words.
///
/// A path comes from the peer, which may be hostile or another machine's gpsd: it is used in a command only for a gpsd
/// of this machine, and only if a shell takes it for one plain word.
struct ReceiverRemedies: Sendable, Equatable {
    let address: GPSDAddress

    static let wait: [Remedy] = [.option(.waitForFix(60))]
    static let sky: [Remedy] = [.advice("give the antenna a view of the sky")] + wait
    static func restoring(_ antenna: AntennaFault) -> [Remedy] {
        switch antenna {
        case .open: [.advice("connect the antenna, or replace its cable")] + wait
        case .shorted: [.advice("replace the antenna or its cable, which is shorted")] + wait
        case .off: [.advice("switch on the antenna's power in the receiver's configuration")] + wait
        }
    }

    static let cable: [Remedy] = [.advice("check the receiver's cable, power and bit rate")]
    static let replug: [Remedy] = [.advice("unplug the receiver and plug it in again")]

    /// A path that gpsd takes for a node, as a word of a command; nil for any other, and for one that needs quotes.
    static func node(_ path: String) -> ShellWord? {
        path.hasPrefix("/") && ShellWord.isPlain(path) ? ShellWord(path) : nil
    }

    func adding(_ path: String) -> [Remedy] {
        guard let node = typeable(path) else { return [.advice("add the receiver to \(peer) with gpsdctl")] }
        return [.command("sudo gpsdctl add \(node)")]
    }

    /// Makes gpsd open a receiver again, and shows why it dropped it.
    func reopening(_ path: String) -> [Remedy] {
        guard let node = typeable(path) else {
            return [.advice("see in the log of \(peer) why it gave the receiver up, and add it again")]
        }
        return [
            .command("sudo journalctl -u gpsd -n 20 --no-pager"), .command("sudo gpsdctl add \(node)"),
        ]
    }

    var admission: [Remedy] {
        [.advice("let this user connect to \(address.text), in the firewall or security module that forbids it")]
    }

    func asking(after error: DriverError) -> [Remedy] {
        switch error.code {
        case .notRecorded: [.option(.recordAgain)]
        case .unsupported: [.advice("use a build that has the driver gpsd")]
        default: [.option(.timeout(10))]
        }
    }

    /// Gives a receiver with a slow cycle, in seconds, enough time; the rig uses 95 % of its limit.
    func timeout(for cycle: Double) -> [Remedy] {
        let seconds = (cycle * 1.06).rounded(.up) + 2
        guard seconds <= 3600 else {
            return [.advice("shorten the receiver's cycle, which is longer than a probe can be")]
        }
        return [.option(.timeout(Int(seconds)))]
    }

    /// Makes a report count that exceeds the age limit, or makes a quiet receiver report.
    func renewing(cycle: Double?, limit: Double) -> [Remedy] {
        let cycle = min(cycle ?? 1, 86_400)
        // A limit shorter than the cycle makes every receiver stale, however well it works.
        return limit < cycle ? [.option(.maximumAge(Int(cycle.rounded(.up)) + 1))] : Self.cable
    }

    private func typeable(_ path: String) -> ShellWord? { address.isLocal ? Self.node(path) : nil }

    private var peer: String { address.isLocal ? "gpsd" : "the gpsd on \(address.peer.host)" }
}

internal import DriverKit
internal import Readiness
internal import SystemPackage

extension DaemonUnit {
    /// The unit of gpsd, whose program `OpeningRemedies` looks for.
    static let gpsd = DaemonUnit("gpsd")
}

/// What would make gpsd answer, given why it does not and the state of the machine: a command that works when typed.
struct OpeningRemedies {
    let world: any World
    let address: GPSDAddress
    /// The nodes of receivers that the kernel shows.
    let nodes: [String]
    let fault: ConnectionFault

    private static let units: [FilePath] = ["/etc/systemd/system/gpsd.socket", "/lib/systemd/system/gpsd.socket"]

    var remedies: [Remedy] {
        if fault == .unresolved {
            return [
                .advice(
                    "check the spelling of the host name \(address.peer.host), or make it resolve, by DNS or in "
                        + "/etc/hosts"),
                .option(.gpsd),
            ]
        }
        return address.isLocal ? local : remote
    }

    private var remote: [Remedy] {
        let (host, port) = (address.peer.host, address.peer.port)
        let advice =
            switch fault {
            case .refused, .ended, .unresolved:
                "on \(host): let gpsd.socket listen on 0.0.0.0:\(port) and start it "
                    + "(-G has no effect under socket activation)"
            case .unreached:
                "check that \(host) is switched on, and that the network and its firewalls let port \(port) through"
            case .foreign: "on \(host): stop the program that listens on port \(port), and start gpsd there"
            case .stuck: "on \(host): restart gpsd"
            }
        return [.advice(advice), .option(.gpsd)]
    }

    private var local: [Remedy] {
        let isContained = ContainerEnvironment.container(in: world) != nil
        switch fault {
        case .foreign(let isMute): return freeing(isMute: isMute, isContained)
        // On this machine, a program listens there that accepts no more connections.
        case .unreached(nil), .unreached(.timedOut): return freeing(isMute: true, isContained)
        case .stuck: return isContained ? [.advice("restart gpsd"), .option(.gpsd)] : [restarting]
        default: break
        }
        // A gpsd of the host listens in the host's network.
        if ContainerEnvironment.isForeign(in: world) == true {
            let network = Remedy.advice("give it the network of the host, where gpsd listens: --network host")
            return [isContained ? network : .option(.onHost), .option(.gpsd)]
        }
        if case .unreached(let errno) = fault {
            let up = Remedy.command("sudo ip link set lo up")
            return [errno == .networkUnreachable ? up : .advice("make \(address.text) an address of this machine")]
                + [.option(.gpsd)]
        }
        if isContained, !world.exists("/usr/sbin/gpsd") { return [.advice("start gpsd on the host"), .option(.gpsd)] }
        return [starting]
    }

    /// What frees gpsd's address from the program that has it.
    private func freeing(isMute: Bool, _ isContained: Bool) -> [Remedy] {
        let port = address.peer.port
        var remedies: [Remedy] = [
            .advice(
                "stop the program that listens on \(address.text), "
                    + (isMute ? "or start gpsd at the other end if it is a tunnel or a proxy" : "and start gpsd there"))
        ]
        if !isContained {
            remedies.insert(
                .command("sudo ss -tlnp 'sport = :\(port)'", note: "shows the program that listens there"), at: 0)
        }
        return remedies + [.option(.gpsd)]
    }

    /// What restarts a gpsd that hangs.
    private var restarting: Remedy {
        guard address.peer.port == 2947 else { return .advice("restart the gpsd on port \(address.peer.port)") }
        if isSystemd, unit == nil { return .advice("restart gpsd") }
        return DaemonUnit.gpsd.command(.restart, in: world).map { .command($0) } ?? .advice("restart gpsd")
    }

    private var isSystemd: Bool { ServiceManager(of: .gpsd, in: world) == .systemd }

    private var unit: FilePath? { Self.units.first(where: world.exists) }

    /// What starts gpsd where nothing listens.
    private var starting: Remedy {
        let unit = isSystemd ? unit : nil
        if unit == nil, !world.exists("/usr/sbin/gpsd") {
            // It has just answered, from wherever it is.
            if fault == .ended { return .advice("start gpsd again, and see in its log why it ended") }
            return world.absence(of: "/usr/bin/apt-get") == nil
                ? .command("sudo apt-get install gpsd")
                : .advice("install gpsd, with the package manager of this system")
        }
        guard address.peer.port == 2947 else { return .command(daemon) }
        guard let unit else {
            let started = isSystemd ? nil : DaemonUnit.gpsd.command(.start, in: world)
            return .command(started ?? daemon)
        }
        if isIPv6Off && listensOnIPv6(unit) {
            return .command(
                #"""
                sudo mkdir -p /etc/systemd/system/gpsd.socket.d && \#
                printf '[Socket]\nListenStream=\nListenStream=/run/gpsd.sock\nListenStream=127.0.0.1:2947\n' | \#
                sudo tee /etc/systemd/system/gpsd.socket.d/ipv4.conf && \#
                sudo systemctl daemon-reload && sudo systemctl restart gpsd.socket
                """#)
        }
        // The socket file remains after the unit has failed, and starting a running unit does nothing.
        return .command(
            world.exists("/run/gpsd.sock")
                ? "sudo systemctl restart gpsd.socket" : "sudo systemctl start gpsd.socket")
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
    static let sky: [Remedy] = [.advice("move the antenna to a place with a clear view of the sky")] + wait
    static func restoring(_ antenna: AntennaFault) -> [Remedy] {
        switch antenna {
        case .open: [.advice("connect the antenna, or replace its cable")] + wait
        case .shorted: [.advice("replace the antenna or its cable, which is shorted")] + wait
        case .off: [.advice("switch on the antenna's power in the receiver's configuration")] + wait
        }
    }

    /// A path that gpsd takes for a node, as a word of a command; nil for any other, and for one that needs quotes.
    static func node(_ path: String) -> ShellWord? {
        path.hasPrefix("/") && ShellWord.isPlain(path) ? ShellWord(path) : nil
    }

    func adding(_ path: String, in world: any World) -> [Remedy] {
        guard let node = typeable(path, in: world) else { return [.advice("add the receiver to \(peer) with gpsdctl")] }
        return [.command("sudo gpsdctl add \(node)")]
    }

    /// Makes gpsd open a source again, wherever gpsd runs.
    func reopening(_ source: DataSource) -> [Remedy] {
        let log = Remedy.advice("see in the log of \(peer) why it gave the receiver up, and add it again")
        return source == .wire || source == .board ? [log] : [source.reviving, log]
    }

    /// Makes gpsd open a node again, and shows why it dropped it.
    func reopening(_ path: String, in world: any World) -> [Remedy] {
        guard let node = typeable(path, in: world) else { return reopening(DataSource(path)) }
        let log =
            ServiceManager(of: .gpsd, in: world) == .systemd
            ? Remedy.command("sudo journalctl -u gpsd -n 20 --no-pager")
            : .advice("see in the log of gpsd why it gave the receiver up")
        return [log, .command("sudo gpsdctl add \(node)")]
    }

    /// What permits the connection that the operating system refuses.
    func admission(after error: DriverError, in world: any World) -> [Remedy] {
        if error.code == .confined {
            return [ContainerEnvironment(from: world).remedy(allowing: "AF_INET AF_INET6")]
        }
        // EPERM is what the filter of a control group returns. Source: systemd.resource-control(5), IPAddressDeny=.
        if error.errno == .notPermitted, case .unit? = world.subject, address.isLocal {
            return [
                world.subject?.remedy(setting: ["IPAddressAllow=localhost"], named: "IPAddressAllow")
            ].compactMap(\.self) + admission
        }
        return admission
    }

    private var admission: [Remedy] {
        [.advice("let this user connect to \(address.text), in the firewall or security module that forbids it")]
    }

    func asking(after error: DriverError) -> [Remedy] {
        switch error.code {
        case .notRecorded: [.option(.recordAgain)]
        case .unsupported: [.advice("use a build that has the driver gpsd")]
        case .untried: [.inPlaceOfSubject]
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

    /// Makes a report count that exceeds the age limit, in seconds; nil unless the limit is shorter than the cycle, which
    /// makes every receiver stale.
    static func longer(_ limit: Double, than cycle: Double?) -> Remedy? {
        let cycle = min(cycle ?? 1, 86_400)
        return limit < cycle ? .option(.maximumAge(Int(cycle.rounded(.up)) + 1)) : nil
    }

    /// A node as a word of a command that works here: gpsd is on this machine, and not outside this container.
    private func typeable(_ path: String, in world: any World) -> ShellWord? {
        guard address.isLocal, ContainerEnvironment.container(in: world) == nil else { return nil }
        return Self.node(path)
    }

    private var peer: String { address.isLocal ? "gpsd" : "the gpsd on \(address.peer.host)" }
}

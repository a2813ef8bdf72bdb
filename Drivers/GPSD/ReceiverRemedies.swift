internal import DriverKit
internal import Readiness

/// What fixes a receiver, or access to it: a command if one works when typed, else advice in words.
///
/// A path comes from the peer, which may be hostile or another machine's gpsd: it is used in a command only for a gpsd
/// of this machine, and only if a shell takes it for one plain word.
struct ReceiverRemedies: Sendable, Equatable {
    /// The address of gpsd.
    let address: GPSDAddress

    static let wait: [Remedy] = [.option(.waitForFix(60))]
    static let sky: [Remedy] = [.advice("give the antenna a view of the sky")] + wait
    static let cable: [Remedy] = [.advice("check the receiver's cable, power and bit rate")]
    static let replug: [Remedy] = [.advice("unplug the receiver and plug it in again")]

    /// Whether gpsd takes a path for a node and a shell takes it for one word.
    static func isPlain(_ path: String) -> Bool { path.hasPrefix("/") && ShellWord.isPlain(path) }

    /// Makes gpsd own a receiver.
    func adding(_ path: String) -> [Remedy] {
        guard isTypeable(path) else { return [.advice("add the receiver to \(peer) with gpsdctl")] }
        return [.command("sudo gpsdctl add \(path)")]
    }

    /// Makes gpsd open a receiver again, and shows why it dropped it.
    func reopening(_ path: String) -> [Remedy] {
        guard isTypeable(path) else {
            return [.advice("see in the log of \(peer) why it gave the receiver up, and add it again")]
        }
        return [
            .command("sudo journalctl -u gpsd -n 20 --no-pager"), .command("sudo gpsdctl add \(path)"),
        ]
    }

    /// Permits this user to connect.
    var admission: [Remedy] {
        [.advice("let this user connect to \(address.text), in the firewall or security module that forbids it")]
    }

    /// Repeats a request that failed.
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

    private func isTypeable(_ path: String) -> Bool { address.isLocal && Self.isPlain(path) }

    private var peer: String { address.isLocal ? "gpsd" : "the gpsd on \(address.host)" }
}

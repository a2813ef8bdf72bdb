package import LocalRig
package import Readiness
package import Rendering

/// The fleet at one moment, in the words that every face shows.
package struct FleetOverview: Sendable {
    /// By name.
    package let rigs: [(name: RigName, standing: RigStatus)]
    /// The broker that was read; nil if none answers.
    package let broker: BrokerURL?
    /// The requested services; nil for those that each rig evaluates.
    package let services: ServiceSet?

    package init(
        _ rigs: [(name: RigName, standing: RigStatus)], broker: BrokerURL?, services: ServiceSet?
    ) {
        (self.rigs, self.broker, self.services) = (rigs, broker, services)
    }

    package var heading: String {
        let online = rigs.count { $0.standing.online == true }
        return "\(broker?.description ?? "no broker answers") · \(rigs.count.counted("rig")), \(online) online"
    }

    /// How many rigs run the requested services, with its tone.
    package var tallyWords: (text: String, tone: Tone) {
        let count = rigs.count { $0.standing.outcome == .runs }
        let unknown = rigs.count { $0.standing.outcome == .cannotTell }
        let asked = services?.members ?? []
        let what = asked.count == 1 ? asked[0].title : "all requested services"
        var text = count == 0 ? "no rig runs \(what)" : "\(count.counted("rig")) \(count == 1 ? "runs" : "run") \(what)"
        if unknown > 0 { text += ", \(unknown) unknown" }
        return (text, count > 0 ? .good : unknown > 0 ? .doubtful : .bad)
    }
}

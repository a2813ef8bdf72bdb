package import LocalRig
internal import Readiness
internal import Rendering

extension FleetDocument {
    /// Creates the document with the current state of each rig.
    ///
    /// Without `all` the status is 0 if at least one rig runs the requested services, with it if every rig does. A rig
    /// whose state is unknown, or that was left out, makes the status 2 where it decides.
    package init(
        _ rigs: [(name: RigName, standing: RigStatus)], broker: BrokerURL?, all: Bool, isCut: Bool, takenAt: String
    ) {
        let outcomes = rigs.map(\.standing.outcome)
        let isUnsure = outcomes.contains(.cannotTell) || isCut
        let status: Int32 =
            if all {
                rigs.isEmpty || outcomes.contains(.doesNotRun) ? 1 : isUnsure ? 2 : 0
            } else {
                outcomes.contains(.runs) ? 0 : isUnsure ? 2 : 1
            }
        self.init(
            takenAt: takenAt, broker: broker?.description, rigs: rigs.map(RigLine.init), exitStatus: status)
    }

    package init(withoutBrokerAt takenAt: String) {
        self.init(takenAt: takenAt, broker: nil, rigs: [], exitStatus: 2)
    }
}

extension FleetDocument.RigLine {
    fileprivate init(_ name: RigName, _ standing: RigStatus) {
        let own = standing.isCounted || standing.isDuplicate ? standing.notices : []
        self.init(
            name: name.description, online: standing.online, seen: standing.seen,
            ageSeconds: standing.age.map { ($0 * 1000).rounded() / 1000 },
            services: standing.lines.map { line in
                FleetDocument.VerdictLine(id: line.id, verdict: standing.verdict(of: line).id)
            },
            rootCauses: standing.isCounted ? standing.rootCauses : [],
            notices: own + standing.remarks.map { Report.NoticeLine(id: $0.id, sensor: nil, detail: $0.detail) })
    }
}

extension Report.NoticeLine {
    init(nameTaken name: String) {
        self.init(
            id: RigStatus.nameTaken, sensor: nil,
            detail: "another machine, or another process, publishes as \(name) too; give one another --name")
    }
}

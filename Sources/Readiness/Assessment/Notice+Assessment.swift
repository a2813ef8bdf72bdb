extension Notice {
    /// Returns the notices of an assessment without duplicates, ordered by identifier, sensor and text.
    static func all(
        of inventory: Inventory, _ authorizations: Authorizations, _ rig: RigIdentity, _ rules: Rules,
        _ session: ServiceSession, _ resampling: Assessment.Resampling, _ ofSensors: [Notice]
    ) -> [Notice] {
        var notices = inventory.notices + authorizations.notices + ofSensors
        let sensors = inventory.sensors
        let readable = sensors.indices.lazy.filter {
            (sensors[$0].kind == .accelerometer || sensors[$0].kind == .gyroscope) && sensors[$0].access == .readable
        }
        if authorizations.motion.status == .allowed, let first = readable.first,
            readable.allSatisfy({ sensors[$0].isAccessBySeat })
        {
            let detail = "motion may be captured only while this user sits at the rig: access is by its seat alone"
            notices.append(Notice(.foregroundOnly, sensor: sensors[first].key, detail: detail))
        }
        if authorizations.provisional {
            let detail = "location is provisionally allowed always, until the user confirms it"
            notices.append(Notice(.provisional, detail: detail))
        }
        if rig.uid == 0 {
            let detail = "running as root: an ordinary user may have less access (see --as USER)"
            notices.append(Notice(.superuser, detail: detail))
        }
        if rules.wholeSession {
            let detail = "rules 1.x: one failing service stops every other"
            let reason = session.state.reason.map { reason in
                "; the session is in the error \(session.state.error.map { "\($0), \(reason)" } ?? reason)"
            }
            notices.append(Notice(.wholeSession, detail: detail + (reason ?? "")))
        }
        let foreground = session.foregroundServices
        if !foreground.isEmpty {
            let titles = foreground.members.map(\.title).joined(separator: ", ")
            let isAllowed = [.authorizedAlways, .indeterminate].contains(authorizations.location.status)
            let lack = isAllowed ? "a location that works in the background" : "location always"
            let detail = "without \(lack) nothing starts in the background; only while in use: \(titles)"
            notices.append(Notice(.noBackgroundStart, detail: detail))
        }
        if resampling == .off {
            let detail = "a sensor that stops sending data is not noticed; use --resample SECONDS"
            notices.append(Notice(.resampleOff, detail: detail))
        }
        return notices.unique.sorted {
            ($0.id.rawValue, $0.sensor ?? "", $0.detail) < ($1.id.rawValue, $1.sensor ?? "", $1.detail)
        }
    }
}

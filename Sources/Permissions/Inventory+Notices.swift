public import Readiness

extension Inventory {
    /// What is said of how long the authorizations last.
    public func notices(under authorizations: Authorizations) -> [Notice] {
        var notices: [Notice] = []
        let readable = sensors.filter { [.accelerometer, .gyroscope].contains($0.kind) && $0.access == .readable }
        if authorizations.motion.status == .allowed, let first = readable.first, readable.allSatisfy(\.isAccessBySeat) {
            notices.append(
                Notice(
                    .foregroundOnly, sensor: first.key,
                    detail: "motion may be captured only while this user sits at the rig: access is by its seat alone"))
        }
        if authorizations.provisional {
            notices.append(
                Notice(.provisional, detail: "location is allowed always, until the user is asked to confirm it"))
        }
        return notices
    }
}

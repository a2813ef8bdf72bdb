import Rendering
import Permissions
import Readiness

/// What a running service keeps for others: `rigready.report/1`, and beside it all that the probe found.
///
/// The key `inventory` is for `--cached` of the same version alone; others read the rest.
struct PublishedReport: Encodable {
    let report: Report
    let inventory: Inventory

    private enum Key: String, CodingKey { case inventory }

    /// Of an examination, with positions no finer than 0.1°: whoever may read the file need not be allowed more.
    init(_ assessment: Assessment) {
        var coarse = assessment.authorizations
        coarse.accuracy.status = .reducedAccuracy
        inventory = assessment.inventory.narrowed(to: coarse)
        var report = Report(assessment)
        report.sensors = inventory.sensors.map(SensorLine.init)
        self.report = report
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(inventory, forKey: .inventory)
    }
}

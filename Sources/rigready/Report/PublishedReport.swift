import Rendering
import Permissions
import Readiness

/// The report that a running service publishes: `rigready.report/1`, with the whole inventory in addition.
///
/// The key `inventory` is only for `--cached` of the same version; others read the rest.
struct PublishedReport: Encodable {
    let report: Report
    let inventory: Inventory

    private enum Key: String, CodingKey { case inventory }

    /// Creates the report of an assessment, with positions rounded to 0.1°: readers of the file may not be allowed
    /// more.
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

internal import DriverKit
internal import FoundationEssentials
internal import Readiness
internal import Rendering

/// A rig's report as it came from a broker.
///
/// Anybody who may publish there can have written it, so it is parsed in bounds.
enum FleetReport {
    /// The largest report that is published or read, in bytes: what every broker takes by default, since NATS stores it
    /// with a third more.
    static let limit = 512 << 10
    /// The most JSON values in one.
    static let valueLimit = 50_000

    /// Why a report cannot be used.
    struct UnusableReport: Error {
        /// `unreadableReport` or `otherSchema`.
        let id: String
        let reason: String
    }

    private struct Header: Decodable { var schema: String }

    /// Parses a report of this schema, of any version of the program.
    static func parse(_ bytes: [UInt8]) throws(UnusableReport) -> Report {
        guard bytes.hasAtMost(jsonValues: valueLimit) else {
            throw UnusableReport(id: "unreadableReport", reason: "its report has more than \(valueLimit) values")
        }
        let data = Data(bytes)
        if let report = try? JSONDecoder().decode(Report.self, from: data), report.schema == Report.schema {
            return report
        }
        guard let schema = try? JSONDecoder().decode(Header.self, from: data).schema, schema != Report.schema else {
            throw UnusableReport(id: "unreadableReport", reason: "its report is no \(Report.schema)")
        }
        throw UnusableReport(
            id: "otherSchema",
            reason: "its report is of another schema, \(schema.singleLine.prefix(60)); this reads \(Report.schema)")
    }
}

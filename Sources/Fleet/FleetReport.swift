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
    static let valueLimit = 50_000

    struct UnusableReport: Error {
        /// `unreadableReport` or `otherSchema`.
        let id: String
        let reason: String
    }

    /// The keys of `Report` that a fleet tells: decoding all of it takes several times as long.
    struct Document: Decodable {
        struct ReportedMachine: Decodable { var boot: String }
        struct ReportedService: Decodable {
            var id, verdict: String
            var asked: Bool
            var failures, warnings, unknown: [String]
        }
        var schema, version, takenAt: String
        var rig: ReportedMachine
        var services: [ReportedService]
        var acceptedServices: [String]
        var rootCauses: [Report.RootCauseLine]
        var notices: [Report.NoticeLine]
    }

    private struct Header: Decodable { var schema: String }

    /// Parses a report of this schema, of any version of the program.
    static func parse(_ bytes: [UInt8]) throws(UnusableReport) -> RigSummary {
        // A value takes two bytes at least, with what parts it from the next.
        guard bytes.count < 2 * valueLimit || bytes.hasAtMost(jsonValues: valueLimit) else {
            throw UnusableReport(id: "unreadableReport", reason: "its report has more than \(valueLimit) values")
        }
        let data = Data(bytes)
        let document = try? JSONDecoder().decode(Document.self, from: data)
        if let document, document.schema == Report.schema { return RigSummary(document) }
        guard let schema = document?.schema ?? (try? JSONDecoder().decode(Header.self, from: data).schema),
            schema != Report.schema
        else { throw UnusableReport(id: "unreadableReport", reason: "its report is no \(Report.schema)") }
        let words = schema.singleLine.prefix(60)
        throw UnusableReport(
            id: "otherSchema", reason: "its report is of another schema, \(words); this reads \(Report.schema)")
    }
}

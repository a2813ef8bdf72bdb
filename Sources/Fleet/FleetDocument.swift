package import Rendering

/// The document `rigready.fleet/1`: every rig that publishes to a broker.
///
/// Verdicts are shown only for rigs that are online and were seen in the last 30 seconds. Otherwise they are
/// `undetermined`, and a notice says why.
package struct FleetDocument: Codable, Sendable {
    package static let schema = "rigready.fleet/1"

    package struct RigLine: Codable, Sendable {
        package var name: String
        /// Whether the rig is online and was seen in the last 30 seconds; null if unknown, for example with a wrong clock.
        @Nullable package var online: Bool?
        /// When the rig last confirmed that it runs, by its own clock: UTC, ISO 8601.
        @Nullable package var seen: String?
        /// How long ago that was, by this machine's clock.
        @Nullable package var ageSeconds: Double?
        /// Its services, in table order.
        package var services: [VerdictLine]
        /// What stops services, in the order in which to repair it.
        package var rootCauses: [Report.RootCauseLine]
        /// The rig's own notices, and the remarks of this reader.
        package var notices: [Report.NoticeLine]
    }

    package struct VerdictLine: Codable, Sendable {
        /// The name, such as `driving.distractionFreeDriving`.
        package var id: String
        /// `runs`, `degraded`, `fails`, `blocked`, `unauthorized` or `undetermined`.
        package var verdict: String
    }

    package var schema = Self.schema
    /// When it was read, UTC.
    package var takenAt: String
    /// The broker that answered; null if none did.
    @Nullable package var broker: String?
    /// By name.
    package var rigs: [RigLine]
    package var exitStatus: Int32
}

extension FleetDocument {
    /// Gives the document as JSON text in pieces, one for each rig; together they are what `String(json:)` gives.
    ///
    /// A fleet of thousands is never in memory as one text, with the encoder's tree of it.
    package func write(onOneLine: Bool = false, to write: (String) throws -> Void) throws {
        var frame = self
        frame.rigs = []
        let text = try String(json: frame, onOneLine: onOneLine)
        let (start, indent, end) = onOneLine ? ("", "", "") : ("\n", "    ", "\n  ")
        let empty = onOneLine ? #""rigs":["# : #""rigs" : ["#
        guard !rigs.isEmpty, let place = text.firstRange(of: empty),
            let rest = text[place.upperBound...].firstIndex(of: "]")
        else { return try write(text) }
        try write(String(text[..<place.upperBound]))
        for (index, rig) in rigs.enumerated() {
            let lines = try String(json: rig, onOneLine: onOneLine)
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            // The encoder leaves the line in an empty list empty.
            let indented = lines.map { $0.isEmpty ? "" : indent + $0 }
            try write((index == 0 ? "" : ",") + start + indented.joined(separator: "\n"))
        }
        try write(end + text[rest...])
    }
}

import CommandOptions
import FoundationEssentials
import LocalRig

/// The JSON Schema (draft 2020-12) of a document that rigready prints, or of a file that it reads.
///
/// Those of documents permit keys that a later version may add; those of files refuse unknown keys, as the program does.
enum PublishedSchema: String, CaseIterable {
    case report, sensors, services, permissions, rights, comparison, audit, consent, measurement, history, fleet,
        recording
    case configuration, grants, policy, manifest

    static var names: [String] { allCases.map(\.rawValue) }

    /// Finds a schema by its name; the error suggests the nearest one.
    static func named(_ name: String) throws(CommandFailure) -> PublishedSchema {
        // A document carries its schema as rigready.report/1, and the installed file is report.schema.json.
        let bare = name.replacing(/^rigready\.|\/\d+$|\.schema\.json$/, with: "")
        if let schema = Self(rawValue: bare) { return schema }
        let hint = didYouMean(suggestion(for: name, among: names))
        throw CommandFailure(.usage, "there is no schema '\(name.singleLine)'.\(hint) See 'rigready schema'.")
    }

    /// The schema as JSON text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What the document or the file is, in one sentence.
    var title: String {
        get throws {
            struct Head: Decodable { var title: String }
            return try JSONDecoder().decode(Head.self, from: Data(bytes)).title
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .report: PackageResources.report_schema_json
        case .sensors: PackageResources.sensors_schema_json
        case .services: PackageResources.services_schema_json
        case .permissions: PackageResources.permissions_schema_json
        case .rights: PackageResources.rights_schema_json
        case .comparison: PackageResources.comparison_schema_json
        case .audit: PackageResources.audit_schema_json
        case .consent: PackageResources.consent_schema_json
        case .measurement: PackageResources.measurement_schema_json
        case .history: PackageResources.history_schema_json
        case .fleet: PackageResources.fleet_schema_json
        case .recording: PackageResources.recording_schema_json
        case .configuration: PackageResources.configuration_schema_json
        case .grants: PackageResources.grants_schema_json
        case .policy: PackageResources.policy_schema_json
        case .manifest: PackageResources.manifest_schema_json
        }
    }
}

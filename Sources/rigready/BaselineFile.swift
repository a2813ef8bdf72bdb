import LocalRig
import Rendering

/// The baseline of a comparison, read from a file whose contents decide its type.
struct BaselineFile {
    enum Content {
        case recording(Recording)
        /// What a manifest or a report states, and the depth of a report's probe.
        case stated(Baseline, depth: String?)
        case measurement(MeasuredRig)
    }

    let name: String
    let content: Content

    /// Reads a file, or takes an embedded rig by its name; `rules` take precedence over a manifest's.
    init(reading name: String, rules: RulesVersion?) throws {
        self.name = name
        if let embedded = EmbeddedRig(rawValue: name) {
            content = .recording(try embedded.recording())
            return
        }
        let bytes = try InputFile.read(
            name, limit: Recording.limit,
            expecting: "a recording, a JSON report, a measurement or a manifest, or one of "
                + EmbeddedRig.names.joined(separator: ", "))
        content = try Self.content(of: bytes, file: name, rules: rules)
    }

    /// The baseline in the file itself; nil for a recording, which has to be evaluated first, and a measurement.
    var stated: Baseline? { if case .stated(let baseline, _) = content { baseline } else { nil } }

    /// The content by its first bytes; throws why the file is none of these, on one line.
    static func content(of bytes: [UInt8], file: String, rules: RulesVersion?) throws(CommandFailure) -> Content {
        do {
            let firstLine = bytes.prefix { $0 != UInt8(ascii: "\n") }
            // A packed recording is the only packed file.
            if firstLine.contains("rigready.recording/") || bytes.starts(with: [0x1f, 0x8b]) {
                return .recording(try Recording(parsing: bytes, file: file))
            }
            let isObject = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
            if isObject, ["rigready.report", "rigready.measurement"].contains(where: bytes[...].contains) {
                let document = try EarlierDocument(bytes, file: file)
                if document.schema == MeasurementReport.schema { return .measurement(try MeasuredRig(document)) }
                return try document.read(as: "a report") { (report: ReportedRig) in
                    .stated(try report.baseline(), depth: report.depth)
                }
            }
            return .stated(try Baseline(manifest: bytes, file: file, rules: rules), depth: nil)
        } catch {
            throw CommandFailure(.badFile, "\(error)")
        }
    }
}

/// The part of a document `rigready.report/1` that can be compared.
private struct ReportedRig: Decodable {
    struct SensorLine: Decodable {
        var key, kind, name, driver, availability: String
        var label: String?
    }
    struct RequirementLine: Decodable { var id, standing: String }
    struct ServiceLine: Decodable {
        var id, verdict: String
        var asked: Bool
    }
    var depth, rules: String
    var sensors: [SensorLine]
    var requirements: [RequirementLine]
    var services: [ServiceLine]

    /// Throws the place and what was expected.
    func baseline() throws -> Baseline {
        guard let version = RulesVersion(rules) else {
            throw EarlierDocument.DocumentFault("rules: expected a version such as 2.14, found \"\(rules.brief)\"")
        }
        let items = try sensors.enumerated().map { index, sensor in
            let place = "sensors[\(index)]"
            let availability = try EarlierDocument.one(
                of: [.available] + Cause.allCases.filter { $0 >= .unreachable }.map { Availability.unavailable($0) },
                \.id, named: sensor.availability, "\(place).availability: expected available or a cause")
            let kind = try EarlierDocument.one(
                of: SensorKind.allCases, \.id, named: sensor.kind, "\(place).kind: expected a kind of sensor")
            return Baseline.Item(
                kind: kind, key: sensor.key, name: sensor.name, label: sensor.label, driver: sensor.driver,
                availability: availability)
        }
        var baseline = Baseline(.probe, sensors: items, rules: version)
        for (index, line) in requirements.enumerated() {
            let place = "requirements[\(index)]"
            let requirement = try EarlierDocument.one(
                of: Requirement.allCases, \.id, named: line.id, "\(place).id: expected a requirement")
            baseline.requirements[requirement] = try EarlierDocument.one(
                of: [RequirementStatus.met, .unmet, .unknown, .unchecked], \.rawValue, named: line.standing,
                "\(place).standing: expected a status")
        }
        for (index, line) in services.enumerated() {
            let place = "services[\(index)]"
            let service = try EarlierDocument.one(
                of: Service.allCases, \.id, named: line.id, "\(place).id: expected a service")
            baseline.services[service] = try EarlierDocument.one(
                of: Verdict.allCases, \.id, named: line.verdict, "\(place).verdict: expected a verdict")
            if line.asked { baseline.asked = (baseline.asked ?? []).union(ServiceSet(service)) }
        }
        return baseline
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: StaticString) -> Bool {
        let word = Array(text.description.utf8)
        guard let first = word.first, count >= word.count else { return false }
        return indices.dropLast(word.count - 1).contains { start in
            self[start] == first && self[start...].starts(with: word)
        }
    }
}

import Configuration
import DriverKit
import FoundationEssentials
import LocalRig
import Readiness
import Recording

/// The baseline of a comparison, read from a file whose contents decide its type.
struct BaselineFile {
    enum Content {
        case recording(Recording)
        /// The contents of a report, and the depth of its probe.
        case report(Baseline, depth: String)
        case manifest(Baseline)
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
            expecting: "a recording, a JSON report or a manifest, or one of " + EmbeddedRig.names(partedBy: ", "))
        content = try Self.content(of: bytes, file: name, rules: rules)
    }

    /// The baseline in the file itself; nil for a recording, which has to be evaluated first.
    var stated: Baseline? {
        switch content {
        case .recording: nil
        case .report(let baseline, _), .manifest(let baseline): baseline
        }
    }

    /// The content by its first bytes; throws why the file is none of these, on one line.
    static func content(of bytes: [UInt8], file: String, rules: RulesVersion?) throws(CommandFailure) -> Content {
        do {
            let firstLine = bytes.prefix { $0 != UInt8(ascii: "\n") }
            if firstLine.contains("rigready.recording/") {
                return .recording(try Recording(parsing: bytes, file: file))
            }
            let isObject = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
            if isObject, bytes[...].contains("rigready.report/") {
                let report = try ReportedRig(parsing: bytes, file: file)
                return .report(report.baseline, depth: report.depth)
            }
            return .manifest(try Baseline(manifest: bytes, file: file, rules: rules))
        } catch {
            throw CommandFailure(.badFile, "\(error)")
        }
    }
}

/// The part of an earlier report that can be compared.
struct ReportedRig {
    /// Larger reports are refused; that of a whole rig is less than a hundredth of it.
    static let limit = 4 << 20

    let baseline: Baseline
    let depth: String

    private struct Document: Decodable {
        struct Sensor: Decodable {
            var key, kind, name, driver, availability: String
            var label: String?
        }
        struct Requirement: Decodable { var id, standing: String }
        struct Service: Decodable {
            var id, verdict: String
            var asked: Bool
        }
        var depth, rules: String
        var sensors: [Sensor]
        var requirements: [Requirement]
        var services: [Service]
    }

    /// Parses a document `rigready.report/1`; throws the file, the place and what was expected.
    init(parsing bytes: [UInt8], file: String) throws(CommandFailure) {
        do {
            guard bytes.count <= Self.limit else { throw Fault("larger than \(Self.limit >> 20) MiB") }
            guard bytes.hasAtMost(jsonValues: CachedReport.valueLimit) else {
                throw Fault("expected a report, found more than \(CachedReport.valueLimit) values")
            }
            let decoder = JSONDecoder()
            struct Schema: Decodable { var schema: String }
            let schema = try decoder.decode(Schema.self, from: Data(bytes)).schema
            guard schema == "rigready.report/1" else {
                throw Fault("expected rigready.report/1, found \"\(schema.brief)\"")
            }
            let document = try decoder.decode(Document.self, from: Data(bytes))
            depth = document.depth
            baseline = try Self.baseline(document)
        } catch let fault as Fault {
            throw CommandFailure(.badFile, "\(file): \(fault.message)")
        } catch {
            // The decoder does not report where the JSON is invalid; the YAML parser does, since JSON is YAML.
            if case .dataCorrupted = error as? DecodingError {
                do throws(ConfigurationError) {
                    _ = try Configuration.ConfigurationDocument(parsing: bytes, file: file)
                } catch {
                    throw CommandFailure(.badFile, error.description)
                }
            }
            throw CommandFailure(.badFile, "\(file): expected a report: \(Self.clause(error))")
        }
    }

    private struct Fault: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    private static func baseline(_ document: Document) throws -> Baseline {
        guard let rules = RulesVersion(document.rules) else {
            throw Fault("rules: expected a version such as 2.14, found \"\(document.rules.brief)\"")
        }
        let items = try document.sensors.enumerated().map { index, sensor in
            let place = "sensors[\(index)]"
            let availability = try one(
                of: [.available] + Cause.allCases.filter { $0 >= .unreachable }.map { Availability.unavailable($0) },
                \.id, named: sensor.availability, "\(place).availability: expected available or a cause")
            let kind = try one(
                of: SensorKind.allCases, \.id, named: sensor.kind, "\(place).kind: expected a kind of sensor")
            return Baseline.Item(
                kind: kind, key: sensor.key, name: sensor.name, label: sensor.label, driver: sensor.driver,
                availability: availability)
        }
        var baseline = Baseline(.probe, sensors: items, rules: rules)
        for (index, line) in document.requirements.enumerated() {
            let place = "requirements[\(index)]"
            let requirement = try one(
                of: Requirement.allCases, \.id, named: line.id, "\(place).id: expected a requirement")
            baseline.requirements[requirement] = try one(
                of: [RequirementStatus.met, .unmet, .unknown, .unchecked], \.rawValue, named: line.standing,
                "\(place).standing: expected a status")
        }
        for (index, line) in document.services.enumerated() {
            let place = "services[\(index)]"
            let service = try one(of: Service.allCases, \.id, named: line.id, "\(place).id: expected a service")
            baseline.services[service] = try one(
                of: Verdict.allCases, \.id, named: line.verdict, "\(place).verdict: expected a verdict")
            if line.asked { baseline.asked = (baseline.asked ?? []).union(ServiceSet(service)) }
        }
        return baseline
    }

    private static func one<Value>(
        of values: [Value], _ id: KeyPath<Value, String>, named name: String, _ expected: String
    ) throws -> Value {
        if let value = values.first(where: { $0[keyPath: id] == name }) { return value }
        let hint = suggestion(for: name, among: values.map { $0[keyPath: id] }).map { " (did you mean \"\($0)\"?)" }
        throw Fault("\(expected), found \"\(name.brief)\"\(hint ?? "")")
    }

    /// The decoder's error, on one line.
    private static func clause(_ error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.reduce("") { path, key in
                if let index = key.intValue { return path + "[\(index)]" }
                return path + (path.isEmpty ? "" : ".") + key.stringValue.brief
            }
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            let place = path(context)
            return (place.isEmpty ? "" : place + ": ") + "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context)) has the wrong type"
        default: return "not valid JSON"
        }
    }
}

extension String {
    /// The text on one line, truncated for a message.
    fileprivate var brief: String { String(prefix(40)).singleLine }
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

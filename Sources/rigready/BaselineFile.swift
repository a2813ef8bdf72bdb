import LocalRig
import Configuration
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
            name, limit: 64 << 20,
            expecting: "a recording, a JSON report or a manifest, or one of "
                + EmbeddedRig.names(partedBy: ", ")
        )
        do {
            content = try Self.content(of: bytes, file: name, rules: rules)
        } catch {
            throw CommandFailure(.badFile, "\(error)")
        }
    }

    /// The baseline in the file itself; nil for a recording, which has to be evaluated first.
    var told: Baseline? {
        switch content {
        case .recording: nil
        case .report(let baseline, _), .manifest(let baseline): baseline
        }
    }

    static func content(
        of bytes: [UInt8], file: String, rules: RulesVersion?
    ) throws(Unreadable) -> Content {
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
            throw Unreadable(description: "\(error)")
        }
    }

    /// Why the file is none of these, on one line.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes contain a text.
    fileprivate func contains(_ text: StaticString) -> Bool {
        let word = Array(text.description.utf8)
        guard let first = word.first, count >= word.count else { return false }
        return indices.dropLast(word.count - 1).contains { start in
            self[start] == first && self[start...].starts(with: word)
        }
    }
}

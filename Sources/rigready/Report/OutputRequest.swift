import ArgumentParser
import CommandOptions
import LocalRig
import SystemPackage

/// A further output file, requested by `--output`.
struct OutputRequest {
    /// What is written to it; nil for the probe itself, for `--rig`.
    let format: Format?
    let file: String

    /// Parses `FORMAT=FILE`; the error suggests the nearest format.
    static func named(_ word: String) throws -> OutputRequest {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let words = Format.allCases.map(\.rawValue) + ["record"]
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ValidationError("expected FORMAT=FILE, such as json=rig.json.")
        }
        guard words.contains(parts[0]) else {
            let hint = didYouMean(suggestion(for: parts[0], among: words))
            throw ValidationError("expected \(words.list("or")) before the first =.\(hint)")
        }
        if parts[1] == "-" {
            throw ValidationError("--output writes files; --format chooses what is printed.")
        }
        return OutputRequest(format: Format(rawValue: parts[0]), file: parts[1])
    }
}

extension [OutputRequest] {
    var isRecorded: Bool { contains { $0.format == nil } }

    /// Throws if two of them have the same format or file.
    func checkTogether() throws(ValidationError) {
        for (index, one) in enumerated() {
            for other in self[..<index] {
                if one.format == other.format {
                    throw ValidationError("--output has a format twice: \(other.file) and \(one.file).")
                }
                if FilePath(one.file).lexicallyNormalized() == FilePath(other.file).lexicallyNormalized() {
                    throw ValidationError("--output names \(one.file) twice.")
                }
            }
        }
    }

    /// Checks, before the work begins, that each file can be written, and says so at once where one cannot.
    func checkFiles() {
        for one in self {
            do throws(CommandFailure) { try OutputFile.check(one.file) } catch { Output.complain(error.description) }
        }
    }

    /// Writes each file whole; returns whether all were.
    ///
    /// One that cannot be written is told, unless `checkFiles` has, and the others are written all the same.
    func write(_ result: CommandResult, recording: Recording?) -> Bool {
        var isWritten = true
        for one in self {
            guard (try? OutputFile.check(one.file)) != nil else {
                isWritten = false
                continue
            }
            do throws(CommandFailure) {
                if let format = one.format {
                    try OutputFile.replace(one.file, with: [UInt8](result.text(as: format, on: .file).utf8))
                } else if let recording {
                    try OutputFile.replace(
                        one.file, with: recording.serialized(compressed: one.file.hasSuffix(".gz")), isRecording: true)
                }
            } catch {
                Output.complain(error.description)
                isWritten = false
            }
        }
        return isWritten
    }
}

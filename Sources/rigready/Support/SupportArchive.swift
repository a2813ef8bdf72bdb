import DriverKit
import Glibc
import LocalRig
import Readiness
import Rendering
import SystemPackage

/// The files of an archive for a ticket, in a scratch folder until `tar` packs them.
struct SupportArchive {
    /// The folder in the archive.
    let name: String
    /// The folder on the disk that contains it.
    private let scratch: FilePath
    /// The files so far, with the sentence that describes each.
    private(set) var files: [(name: String, text: String)] = []

    /// The file with the lines of the service.
    static let journal = "journal.txt"

    /// What no file contains, one clause each.
    var leftOut: [String] {
        [
            "the exact position of the rig: it is rounded to 0.1°",
            "its addresses, serial numbers, host and user names: the recording has invented ones",
            "the contents of the configuration, which may name brokers and people",
        ] + (hasJournal ? ["passwords in URLs of the journal"] : [])
    }
    /// What a person has to know before passing it on.
    var advice: String? {
        hasJournal ? "\(Self.journal) is not anonymous. Read it before you send the archive." : nil
    }
    private var hasJournal: Bool { files.contains { $0.name == Self.journal } }

    private var folder: FilePath { scratch.appending(name) }

    /// Creates the folder.
    init(name: String, in scratch: FilePath) throws {
        self.name = name
        self.scratch = scratch
        guard unsafe mkdir(folder.string, 0o700) == 0 else {
            throw CommandFailure(.cannotWrite, "\(folder): \(Errno.current.clause)")
        }
    }

    /// Adds a file and returns its path on the disk.
    @discardableResult
    mutating func add(_ file: String, _ bytes: [UInt8], _ text: String) throws -> String {
        let path = folder.appending(file)
        do {
            let descriptor = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerReadWrite])
            try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
        } catch {
            throw CommandFailure(.cannotWrite, "\(path): \((error as? Errno)?.clause ?? "\(error)")")
        }
        files.append((file, text))
        return path.string
    }

    /// Adds README.txt, which lists the files and what was left out.
    mutating func addReadme(at time: String) throws {
        let own = (name: "README.txt", text: "what each file is, and what was left out")
        let width = (files + [own]).map(\.name.count).max() ?? 0
        var lines = ["An archive of rigready support: rigready \(Release.version), \(time).", ""]
        lines += (files + [own]).map { $0.name.column(width) + $0.text }
        if let advice { lines += ["", advice] }
        lines += ["", "Left out:"] + leftOut.map { "- \($0)" }
        try add(own.name, Array(lines.map { $0 + "\n" }.joined().utf8), own.text)
    }

    /// The archive's bytes: tar, compressed with gzip.
    ///
    /// The owner in it is 0, because tar would add the name of this user.
    func packed() throws -> [UInt8] {
        guard let place = ShellWord(scratch.string), let name = ShellWord(name) else {
            throw CommandFailure(.cannotWrite, "\(scratch): expected a plain path; set TMPDIR to another folder")
        }
        let command: ShellCommand = "tar -cz -f - --owner=0 --group=0 --numeric-owner -C \(place) \(name)"
        let outcome = try rethrowing(
            as: { (error: any Error) in CommandFailure(.software, "/bin/sh cannot be started: \(error)") },
            try ShellProcess.run(command.line, seconds: 60, keepsOutput: true))
        switch outcome.end {
        case .exited(0): return outcome.output
        case .exited(127):
            throw CommandFailure(.cannotWrite, "tar is not on the PATH; install the package tar, then try again")
        case .late: throw CommandFailure(.cannotWrite, "tar was ended after 60 s; try again on an idle machine")
        case .exited, .signalled:
            throw CommandFailure(
                .cannotWrite, "the archive cannot be packed: \(outcome.said); GNU tar and gzip are required")
        }
    }
}

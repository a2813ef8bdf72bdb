import ArgumentParser
import CommandOptions
import DriverKit
import Linux
import LocalRig
import Rendering
import SystemPackage

struct SupportCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "support",
        abstract: "Collect one archive for a ticket: an anonymous recording, its report, the version and the journal.",
        discussion: """
            The archive (mode 0600) contains an anonymous recording, the page and the JSON report of this recording, the \
            versions of rigready, the kernel and the distribution, whether the configuration is valid, and the last 500 \
            lines of the service's journal. README.txt in it describes each file and lists what was left out. The journal \
            is not anonymous: read it before you send the archive. The report is made without the configuration, because \
            the configuration may name brokers and people.

            Try:
              rigready support                                this rig, now
              rigready support ticket.tar.gz --rig rig.jsonl  a recorded rig
            """
    )

    @Argument(
        help: "The archive to write (default: rigready-support-DATE.tar.gz in the current folder).", completion: .file()
    )
    var file: String?

    @OptionGroup var overwriting: OverwriteOptions
    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var terminals: TerminalOptions

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user) } }
    var isQuiet: Bool { terminals.quiet }

    func validate() throws {
        if file == "-" { throw ValidationError("support writes an archive to a file, not to standard output.") }
    }

    func run() throws {
        let time = RigIdentity.now
        let name = "rigready-support-\(time.prefix(10))"
        let file = file ?? "\(name).tar.gz"
        try OutputFile.checkNew(file, overwrites: overwriting.force)
        let (archive, bytes) = try ScratchFolder.with { scratch in
            var archive = try SupportArchive(name: name, in: scratch)
            try collect(into: &archive)
            try archive.addReadme(at: time)
            show("packing \(archive.files.count.counted("file"))")
            return (archive, try archive.packed())
        }
        try OutputFile.create(
            file, with: bytes, access: .only([.ownerReadWrite]), overwrites: overwriting.force)
        Output.finish(isQuiet ? "" : Output.spelled(summary(of: file, archive, bytes.count)), status: 0)
    }

    private func collect(into archive: inout SupportArchive) throws {
        let options = try rigOptions
        show("recording \(self.options.rig ?? "this rig")")
        let rig = try assembled(by: options.withoutConfiguration)
        let recording = try rig.recording ?? rig.assessRecorded().recording
        let anonymous = recording.anonymized(by: BundledDrivers.anonymizers)
        let path = try archive.add(
            "recording.jsonl.gz", anonymous.serialized(compressed: true),
            "the anonymous recording; evaluate it with rigready --rig recording.jsonl.gz")

        show("evaluating the anonymous recording")
        let assessment = try LocalRig(Self.replay(of: path, with: options)).assess()
        let report = try Output.document(Report(assessment))
        try archive.add("report.json", Array(report.utf8), "the report of the recording, rigready.report/1")
        try archive.add("report.html", Array(AssessmentPage(assessment).html.utf8), "the same as a page")

        show("describing the system")
        try add("system.txt", try Self.system(), "rigready, kernel and distribution of this machine", to: &archive)
        try add(
            "configuration.txt", [ConfigurationState(of: options).text],
            "the path of the configuration, and whether it is valid", to: &archive)
        // This machine's journal has no information about a recorded rig.
        if self.options.rig == nil {
            try add(
                SupportArchive.journal, try journal(), "the last lines of rigready.service; not anonymous", to: &archive
            )
        }
    }

    private func add(_ name: String, _ lines: [String], _ text: String, to archive: inout SupportArchive) throws {
        try archive.add(name, Array(lines.map { $0.singleLine + "\n" }.joined().utf8), text)
    }

    /// The options of an evaluation of the recording alone: files, peers and pins of this machine may name people and
    /// addresses.
    private static func replay(of recording: String, with options: LocalRig.Options) -> LocalRig.Options {
        var replay = options.withoutConfiguration
        replay.read(.recording(recording))
        replay.grantFile = nil
        replay.policyFile = nil
        replay.account = nil
        replay.subject = nil
        replay.iio = []
        replay.pins = [:]
        return replay
    }

    /// The versions of the program, of the kernel (uname, without the name of the host) and of the distribution.
    private static func system() throws -> [String] {
        let kernel = try rethrowing(
            as: { (error: any Error) in CommandFailure(.software, "/bin/sh cannot be started: \(error)") },
            try ShellProcess.run("uname -srvm", seconds: 5, keepsOutput: true))
        let release = kernel.isSuccess ? String(decoding: kernel.output, as: UTF8.self) : RigIdentity.live().kernel
        let file = ["/etc/os-release", "/usr/lib/os-release"].first { InputFile.exists($0, following: true) }
        let distribution = file.flatMap { try? BoundedFile.read(FilePath($0), limit: 16 << 10) }
        let lines = (distribution ?? Array("There is no os-release.".utf8)).prefix(16 << 10).split(
            separator: UInt8(ascii: "\n"))
        return ["rigready \(Release.version)", release] + lines.map { String(decoding: $0, as: UTF8.self) }
    }

    private func journal() throws -> [String] {
        show("reading the journal of rigready.service")
        return try ProgressLine.during("journalctl", isShown: !isQuiet, seconds: ServiceJournal.seconds) {
            try ServiceJournal.lines()
        }
    }

    private func show(_ step: String) {
        if !isQuiet { Output.complain(step) }
    }

    private func summary(of file: String, _ archive: SupportArchive, _ size: Int) -> String {
        let files = archive.files
        var page = Page(terminals.colors.terminal)
        page.hanging(0, "wrote \(file): \(files.count.counted("file")), \((size + 1023) / 1024) KiB", nil)
        page.blank()
        let width = files.map(\.name.count).max() ?? 0
        for (name, text) in files { page.row((name.column(width), .strong), rest: text) }
        page.blank()
        for text in archive.leftOut { page.hanging(2, "left out: \(text)", .faint) }
        if let advice = archive.advice { page.hanging(0, advice, nil) }
        return page.text
    }
}

import ArgumentParser
import Readiness
import Glibc
import Recording

/// Captures a whole rig into one file.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Capture this rig into one file, which --rig evaluates anywhere.",
        discussion: "Every byte that the drivers read is in the file, the position of the rig included."
    )

    @Argument(help: "The file to write; one that exists is replaced.")
    var file: String

    @OptionGroup var options: ProbeOptions

    func run() throws {
        try options.format.refuseCases(of: "record")
        let call = try Call(options)
        let recorder = Recorder()
        let examination = try call.examine(recordedBy: recorder)
        try Files.replace(file, with: call.recording(of: examination, by: recorder).serialized)
        Output.complain("wrote \(file): \(examination.inventory.sensors.count) sensors; try: rigready --rig \(file)")
        Glibc.exit(0)
    }
}

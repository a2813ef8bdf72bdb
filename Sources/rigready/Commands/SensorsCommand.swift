import Rendering
import LocalRig
import ArgumentParser
import CommandOptions

struct SensorsCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensors",
        abstract: "List every sensor, controller and receiver found.",
        discussion: "The columns kind and key always identify a sensor: --sensor KIND=KEY pins it.")

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var cache: CacheOptions
    @OptionGroup var printing: PrintOptions<DocumentFormats>

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user, cache) } }
    var isQuiet: Bool { printing.quiet }

    func run() throws {
        let rig = try assembled()
        let assessment = try rig.assess()
        try printing.finish(
            CommandResult(
                document: { SensorsReport(sensors: assessment.sensors.map(SensorLine.init)) },
                text: { Self.text(assessment, on: $0) }, status: rig.statusWhenShown))
    }

    private static func text(_ assessment: Assessment, on terminal: Terminal) -> String {
        var page = Page(terminal)
        page.sensors(assessment.sensors, isFull: true)
        // What could not be searched is not absent.
        for obstacle in assessment.inventory.obstacles {
            let words = "\(obstacle.kind.title): \(obstacle.cause.title): \(obstacle.detail)"
            page.row(rest: words, style: .doubtful)
        }
        return page.text
    }
}

/// The document `rigready.sensors/1`.
struct SensorsReport: Encodable {
    var schema = "rigready.sensors/1"
    var sensors: [SensorLine]
}

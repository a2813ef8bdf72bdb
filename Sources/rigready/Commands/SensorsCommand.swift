import Rendering
import LocalRig
import ArgumentParser

struct SensorsCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { [.cases, .output] }
    static let configuration = CommandConfiguration(
        commandName: "sensors", _superCommandName: RigReady.name,
        abstract: "List every sensor, controller and receiver found.",
        discussion: "The first and third column, kind and key, always identify a sensor: --sensor KIND=KEY pins it.")

    @OptionGroup var options: ProbeOptions<SensorsCommand>

    func run() throws {
        try options.withRig { rig in
            let assessment = try rig.assess()
            try options.finish(
                CommandResult(
                    document: { SensorsReport(sensors: assessment.sensors.map(SensorLine.init)) },
                    text: { Self.text(assessment, on: $0) }, status: rig.statusWhenShown))
        }
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

import ArgumentParser
import Glibc
import Readiness

/// The inventory alone.
struct Sensors: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List every sensor, controller and receiver seen.",
        discussion: "The key in the third column names a sensor for good: pin it with --sensor KIND=KEY."
    )

    @OptionGroup var options: ProbeOptions

    func run() throws {
        let examination = try Call(options).examine()
        let sensors = examination.inventory.sensors
        switch options.format {
        case .json: try Output.write(Output.document(SensorsReport(sensors: sensors.map(SensorLine.init))))
        case .text:
            var page = Page(.current)
            page.sensors(sensors)
            // What could not be looked for is not absent.
            for obstacle in examination.inventory.obstacles {
                page.row(
                    [], rest: "\(obstacle.kind.title): \(obstacle.cause.title): \(obstacle.detail)", style: .doubtful)
            }
            if sensors.isEmpty { page.row([], rest: "No sensor, controller or receiver was seen.", style: .faint) }
            try Output.write(page.text)
        }
        Glibc.exit(0)
    }
}

import Readiness
import Testing

/// One row of a requirement table as the vendor prints it: the words of its cells, nothing derived from our rules.
private struct PrintedRow: Sendable {
    let name: String
    let required: String
    let optional: String
}

/// A printed table with the versions that it describes.
private struct PrintedTable: Sendable, CustomTestStringConvertible {
    let page: String
    let versions: [String]
    let rows: [PrintedRow]
    /// Whether a missing required permission stops every service ("the SDK services will stop working").
    let stopsEverything: Bool

    var testDescription: String { page }
}

/// MOVE SDK iOS, "Permissions Handling", as printed for 1.x, 2.x and 2.14; later versions print the table of 2.14.
private let tables: [PrintedTable] = {
    func row(_ name: String, _ required: String, _ optional: String = "") -> PrintedRow {
        PrintedRow(name: name, required: required, optional: optional)
    }
    let sensors = "Gyroscope and Accelerometer availability"
    let background = "Background Location Permission"
    let both = "Motion Permission Background Location Permission"
    let precise = "Location Permission Precise Location"
    // The row labels of the first three are lost in the copies of 1.x; precise location is demanded by the text below
    // the table ("requires full accuracy access") and not repeated in the cells.
    let first = [
        row("Driving", precise, both),
        row("Bicycle", "\(precise) Motion Permission", background),
        row("Walking", "Motion Permission", background),
        row("Distraction-Free-Driving (DFD)", sensors),
        row("Driving behavior events (DBE)", sensors),
        row("Points of Interest (POI)", precise, background),
    ]
    func second(detection: Bool, assistance: PrintedRow, health: Bool) -> [PrintedRow] {
        [
            row("Driving", precise, both), row("Distraction-Free-Driving", sensors),
            row("Driving Behavior events", sensors),
        ] + (detection ? [row("Device Detection", "", "Bluetooth Permission")] : []) + [
            row("Bicycle", "Location Permission Motion Permission Precise Location", background),
            row("Walking", "Motion Permission", background),
            row("Location", "LocationPermission Precise Location", background),
            row("Places", "LocationPermission Precise Location"), row("Points of Interest", precise, background),
            row("Public Transport stops", precise, background),
            row("Impact Detection", "\(precise) \(sensors)", both), assistance,
        ] + (health ? [row("Health Steps", "HealthKit, steps read Permission")] : [])
    }
    return [
        PrintedTable(page: "Permissions Handling, 1.x", versions: ["1.x", "1.5"], rows: first, stopsEverything: true),
        PrintedTable(
            page: "Permissions Handling, 2.x before 2.4", versions: ["2.0", "2.3"],
            rows: second(detection: false, assistance: row("Assistance Call", precise), health: false),
            stopsEverything: false),
        PrintedTable(
            page: "Permissions Handling, 2.x before health", versions: ["2.4", "2.6", "2.13"],
            rows: second(detection: true, assistance: row("Assistance Call", "", precise), health: false),
            stopsEverything: false),
        PrintedTable(
            page: "Permissions Handling, 2.14 and newer", versions: ["2.14", "2.15", "2.17"],
            rows: second(detection: true, assistance: row("Assistance Call", "", precise), health: true),
            stopsEverything: false),
    ]
}()

/// What the words of a cell name.
///
/// "Background Location Permission" is one thing, not a location permission beside it.
private let words: [(phrase: String, requirements: [Requirement])] = [
    ("Background Location Permission", [.backgroundLocation]), ("Precise Location", [.preciseLocation]),
    ("Location Permission", [.location]), ("LocationPermission", [.location]), ("Motion Permission", [.motion]),
    ("Gyroscope and Accelerometer availability", [.gyroscope, .accelerometer]),
    ("Bluetooth Permission", [.bluetooth]), ("HealthKit,", [.healthStore]), ("steps read Permission", [.stepsRead]),
]

/// Reads a cell; every word of it must be understood.
private func requirements(in cell: String) throws -> Set<Requirement> {
    var rest = Substring(cell)
    var found: Set<Requirement> = []
    while !rest.isEmpty {
        let word = try #require(words.first { rest.hasPrefix($0.phrase) }, "\(rest)")
        found.formUnion(word.requirements)
        rest = rest.dropFirst(word.phrase.count).drop { $0 == " " }
    }
    return found
}

/// The rows of a table with what they name, and the row that each sub-service stands under.
private struct ReadTable {
    struct Row {
        let service: Service
        let required: Set<Requirement>
        let optional: Set<Requirement>
        let parent: Service?
    }
    let rows: [Row]

    /// Reads every row; the sub-rows of "Driving" and "Walking" are those that the page prints under them.
    init(_ table: PrintedTable) throws {
        let under: [String: String] = [
            "Distraction-Free-Driving": "Driving", "Distraction-Free-Driving (DFD)": "Driving",
            "Driving Behavior events": "Driving", "Driving behavior events (DBE)": "Driving",
            "Device Detection": "Driving", "Location": "Walking",
        ]
        rows = try table.rows.map { row in
            let parent = try under[row.name].map { try #require(Service(named: $0)) }
            return Row(
                service: try #require(Service(named: row.name), "\(row.name)"),
                required: try requirements(in: row.required), optional: try requirements(in: row.optional),
                parent: parent)
        }
    }

    /// The verdict of every row, service by service, as the page words it.
    func verdicts(_ status: (Requirement) -> RequirementStatus, flags: OptionFlags, stops: Bool) -> [Service: Verdict] {
        var mandatory: Set<Requirement> = []
        if flags.contains(.motionPermissionMandatory) { mandatory.insert(.motion) }
        if flags.contains(.backgroundLocationPermissionMandatory) { mandatory.insert(.backgroundLocation) }
        var own: [Service: (verdict: Verdict, worse: Bool)] = [:]
        for row in rows {
            let required = row.required.union(row.optional.intersection(mandatory))
            let statuses = required.map(status)
            let worse = row.optional.subtracting(required).contains { status($0) == .unmet }
            let verdict: Verdict =
                statuses.contains(.unmet) ? .fails : statuses.contains(.unknown) ? .undetermined : .runs
            own[row.service] = (verdict, worse && !stops)
        }
        var verdicts: [Service: Verdict] = [:]
        for row in rows {
            guard let (verdict, worse) = own[row.service] else { continue }
            switch row.parent.flatMap({ own[$0]?.verdict }) {
            case .fails?: verdicts[row.service] = .blocked
            case .undetermined? where verdict != .fails: verdicts[row.service] = .undetermined
            default: verdicts[row.service] = verdict == .runs && worse ? .degraded : verdict
            }
        }
        if stops {
            let isStopped = verdicts.values.contains(.fails)
            let isUnsure = verdicts.values.contains(.undetermined)
            for (service, verdict) in verdicts where verdict != .fails && verdict != .blocked {
                if isStopped { verdicts[service] = .blocked } else if isUnsure { verdicts[service] = .undetermined }
            }
        }
        return verdicts
    }
}

@Suite struct PublishedTableTests {
    /// The flags as the page's footnote has them; each exists from a version on.
    private static func flags(in version: String) -> [OptionFlags] {
        switch version {
        case "1.x", "1.5", "2.0", "2.3": [[]]
        case "2.4": [[], .motionPermissionMandatory]
        default: (0...3).map(OptionFlags.init)
        }
    }

    @Test(arguments: tables)
    fileprivate func `each name of a printed table is understood, and no service is left over`(
        table: PrintedTable
    ) throws {
        let read = try ReadTable(table)
        for version in table.versions {
            #expect(try rules(version).services == ServiceSet(read.rows.map { ServiceSet($0.service) }))
        }
    }

    /// Every status of every requirement, with every flag: each cell of each printed table decides as printed.
    @Test(arguments: tables)
    fileprivate func `each combination has the verdicts of the printed table`(table: PrintedTable) throws {
        let read = try ReadTable(table)
        let named = read.rows.reduce(into: Set<Requirement>()) { $0.formUnion($1.required.union($1.optional)) }
        for flags in Set(table.versions.flatMap(Self.flags)) {
            let evaluators = try table.versions.filter { Self.flags(in: $0).contains(flags) }.map {
                try Evaluator(rules: rules($0), flags: flags)
            }
            var cells = 0
            for (code, statuses) in zip(AllFacts.shared.codes, AllFacts.shared.statuses) {
                func status(_ requirement: Requirement) -> RequirementStatus {
                    [.unmet, .unknown, .met, .unchecked][code >> (2 * Int(requirement.rawValue)) & 3]
                }
                // What the table does not name stays met, and no leaf is better than its root: else the same cell again.
                guard Requirement.allCases.allSatisfy({ named.contains($0) || status($0) == .met }),
                    statuses.met.members == Requirement.allCases.filter({ status($0) == .met }),
                    statuses.unknown.members == Requirement.allCases.filter({ status($0) == .unknown })
                else { continue }
                let expected = read.verdicts(status, flags: flags, stops: table.stopsEverything)
                for evaluator in evaluators {
                    let verdicts = evaluator.verdicts(for: statuses)
                    let wrong = read.rows.first { verdicts[$0.service] != expected[$0.service] }
                    if let wrong {
                        Issue.record("\(evaluator.rules.version), \(flags): \(wrong.service) in \(statuses)")
                        return
                    }
                    cells += read.rows.count
                }
            }
            #expect(cells > 1000)
        }
    }
}

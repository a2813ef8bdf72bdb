import ArgumentParser
import CommandOptions
import LocalRig
import Rendering

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show how often each requirement changed, and when it was last met.",
        discussion: """
            The running service keeps the history: systemctl enable --now rigready, or rigready watch --history FILE. It \
            lists the last \(RequirementHistory.eventLimit) changes of each requirement, and counts all.

            Try:
              rigready history --since 7d                  the last week
              rigready history --requirement gyroscope     each change of one requirement
              rigready history --format json               rigready.history/1
            """)

    @Option(help: .value("name", "Show this requirement, with each change; repeatable."))
    var requirement: [String] = []

    @Option(
        help: .value("time", "Show the changes of the last so many minutes, hours, days or weeks: 90m, 12h, 7d, 2w."),
        transform: HistoryPeriod.init(word:))
    var since: HistoryPeriod?

    @Option(
        help: .value("file", "The file of the service (default: \(HistoryFile.defaultFile))."), completion: .file())
    var file: String?

    @OptionGroup var formats: FormatOptions<DocumentFormats>
    @OptionGroup var colors: ColorOptions

    func run() throws {
        let wanted = try requirement.flatMap { $0.split(separator: ",") }.map { try Requirement.named(String($0)) }
        let name = file ?? HistoryFile.defaultFile
        guard InputFile.exists(name, following: true) else {
            throw CommandFailure(
                .badFile,
                "\(name): no history is kept here; the service does: systemctl enable --now rigready, or rigready watch "
                    + "--history FILE")
        }
        var history = try HistoryFile.read(name)
        if let since { history = history.since(RigIdentity.time(secondsAgo: since.seconds)) }
        if !wanted.isEmpty { history.requirements.removeAll { line in !wanted.contains { $0.id == line.id } } }
        if formats.format == .json { Output.finish(try Output.document(history), status: 0) }
        Output.finish(history.text(period: since, listsEvents: !wanted.isEmpty, on: colors.terminal), status: 0)
    }
}

struct HistoryPeriod {
    var seconds: Int
    /// Such as "7 days".
    var title: String

    private static let units: [(letter: Character, name: String, seconds: Int)] = [
        ("m", "minute", 60), ("h", "hour", 3600), ("d", "day", 86_400), ("w", "week", 604_800),
    ]
    private static let longest = 3650 * 86_400

    init(word: String) throws {
        let unit = Self.units.first { $0.letter == word.last }
        guard let unit, let count = UInt16(word.dropLast()), count > 0, Int(count) * unit.seconds <= Self.longest else {
            throw ValidationError("expected a number with m, h, d or w, such as 7d, of at most ten years.")
        }
        seconds = Int(count) * unit.seconds
        title = Int(count).counted(unit.name)
    }
}

extension Requirement {
    /// Finds a requirement by a name of the command line; the error suggests the nearest one.
    fileprivate static func named(_ name: String) throws(CommandFailure) -> Requirement {
        switch FindingQuery(named: name)?.subject {
        case .requirement(let requirement): return requirement
        case .kind(let kind):
            if let requirement = allCases.first(where: { $0.kinds.contains(kind) }) { return requirement }
        case nil: break
        }
        let names = allCases.map(\.id)
        throw CommandFailure(
            .usage,
            "there is no requirement '\(name.singleLine)'; it is one of \(names.joined(separator: ", "))."
                + didYouMean(suggestion(for: name, among: names)))
    }
}

// MARK: - The text

extension RequirementHistory {
    func text(period: HistoryPeriod?, listsEvents: Bool, on terminal: Terminal) -> String {
        var page = Page(terminal)
        let scope = period.map { "the last \($0.title)" } ?? "all changes"
        page.hanging(
            0, "\(host) · watched since \(begunAt.timeWords()), until \(watchedUntil.timeWords()) · \(scope)", nil)
        page.blank()
        let lines = Requirement.allCases.flatMap { requirement in
            requirements.filter { $0.id == requirement.id }.map { (requirement, $0) }
        }
        let title = "requirement"
        let width = max(title.count, lines.map(\.0.title.columns).max() ?? 0)
        page.headings("  ", title.column(width), rest: "state and changes")
        for (requirement, line) in lines {
            let mark = line.standing.flatMap(RequirementStatus.init(rawValue:)).map(Mark.init)
            page.row(mark.column(or: "·"), (requirement.title.column(width), .strong), rest: line.summary)
            guard listsEvents else { continue }
            for event in line.events {
                page.hanging(
                    4, "\(event.at.timeWords())  \(event.before.causeTitle) → \(event.after.causeTitle)", .faint)
            }
        }
        return page.text
    }
}

extension RequirementHistory.RequirementRecord {
    /// How it is, what became of it how often, and when it was last met.
    fileprivate var summary: String {
        guard let standing else { return "not seen yet" }
        var words = [standing == RequirementStatus.met.rawValue ? "met" : (cause ?? standing).causeTitle]
        if let follows = rootCause.flatMap(Requirement.init(id:)) {
            words[0] += " (follows from \(follows.title))"
        }
        let falls = events.map(\.after).filter { $0 != RequirementStatus.met.rawValue }.unique
        let counted = falls.map { word in
            "\(word.arrival) \(events.count { $0.after == word }.timesInWords)"
        }
        if !counted.isEmpty { words.append(counted.joined(separator: ", ")) }
        if events.isEmpty { words.append("no change") }
        if isTruncated { words.append("older changes are only counted: \(changes) in all") }
        if standing != RequirementStatus.met.rawValue {
            words.append(lastMet.map { "last met \($0.timeWords())" } ?? "never met")
        } else if let last = events.last {
            words.append("met since \(last.at.timeWords())")
        }
        return words.joined(separator: "; ")
    }
}

extension String {
    private var namedCause: Cause? { Cause(id: self) }

    /// The word of a cause or status, for people.
    fileprivate var causeTitle: String { namedCause?.title ?? self }

    /// What a requirement did when it got this cause.
    fileprivate var arrival: String {
        switch namedCause {
        case .silent: "fell silent"
        case .noFix: "lost its fix"
        case .absent: "disappeared"
        case .poweredOff: "was switched off"
        case .lowEnergyOff: "lost Low Energy"
        case .softBlocked, .hardBlocked, .denied, .restricted: "was \(causeTitle)"
        case .reducedAccuracy: "had its accuracy reduced"
        case .foregroundOnly: "was allowed only while in use"
        case .noDriver: "lost its driver"
        case .indeterminate: "was unknown"
        case .notDetermined: "was undecided"
        case .unreachable, .stale, .faulty, .inactive: "became \(causeTitle)"
        case nil: "became \(self)"
        }
    }
}

extension Int {
    fileprivate var timesInWords: String { self == 1 ? "once" : self == 2 ? "twice" : "\(self) times" }
}

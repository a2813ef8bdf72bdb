package import Readiness

/// What the access is evaluated for, in place of this process.
public enum AccessSubject: Sendable, Hashable {
    /// A process, by its number.
    case process(Int32)
    /// A running unit of systemd, such as `gpsd.service`.
    case unit(String)
    /// A running container, by its name or the number of one of its processes.
    case container(String)

    /// The subject in words, such as `the unit gpsd.service`.
    public var words: String {
        switch self {
        case .process(let number): "process \(number)"
        case .unit(let name): "the unit \(name)"
        case .container(let name): "the container \(name)"
        }
    }

    /// The subject as one word, such as `unit:gpsd.service`, for recordings.
    public var id: String {
        switch self {
        case .process(let number): "process:\(number)"
        case .unit(let name): "unit:\(name)"
        case .container(let name): "container:\(name)"
        }
    }

    /// Parses a subject; nil for an invalid word.
    public init?(id: String) {
        let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].utf8.count <= 256 else { return nil }
        switch (parts[0], Int32(parts[1])) {
        case ("process", let number?): self = .process(number)
        case ("unit", _): self = .unit(parts[1])
        case ("container", _): self = .container(parts[1])
        default: return nil
        }
    }

    /// The remedy that starts the subject again, so that it has the current rights of its user.
    package var restart: Remedy {
        guard case .unit(let name) = self, let unit = ShellWord(name) else { return .advice("start \(words) again") }
        return .command("sudo systemctl restart \(unit)")
    }

    /// A remedy that sets options of the unit in a drop-in of its own and restarts it; advice for a process, which may have no
    /// unit.
    ///
    /// Source: systemd.unit(5), "drop-in"; systemd.exec(5); systemd.resource-control(5).
    package func remedy(setting lines: [String], named topic: ShellCommand) -> Remedy {
        guard case .unit(let name) = self, let unit = ShellWord(name),
            let folder = ShellWord("/etc/systemd/system/\(name).d")
        else { return .advice("if a systemd unit starts \(words), set \(lines.joined(separator: " and ")) in it") }
        let words = lines.compactMap { ShellWord($0) }
        guard words.count == lines.count, let first = words.first else {
            return .advice("set \(lines.joined(separator: " and ")) in \(self.words)")
        }
        let settings = words.dropFirst().reduce("\(first)" as ShellCommand) { "\($0) \($1)" }
        let file: ShellCommand = "\(folder)/rigready-\(topic).conf"
        let reload: ShellCommand = "sudo systemctl daemon-reload && sudo systemctl try-restart \(unit)"
        var command: ShellCommand =
            "sudo mkdir -p \(folder) && printf '%s\\n' '[Service]' \(settings) | sudo tee -a \(file) && \(reload)"
        // What the file had before stays: the last lines are this command's.
        let lastLine: ShellCommand = "sudo sed -i '$d' \(file) && "
        let removal = lines.reduce(lastLine) { removal, _ in "\(removal)\(lastLine)" }
        command.undo =
            "\(removal){ [ -s \(file) ] || { sudo rm \(file) && sudo rmdir \(folder) 2>/dev/null; } || true; } && \(reload)"
        return .command(command, note: "to undo it, remove these lines, reload and restart")
    }
}

extension Remedy {
    /// The remedy for a right that cannot be tried from outside.
    package static let inPlaceOfSubject = advice(
        "run rigready in its place: from ExecStartPre= of the unit, or in the container")
}

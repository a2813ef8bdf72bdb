// By hand, as a list of texts: synthesized coding of so many cases costs 45 KB of the program and many conformances.
extension Remedy: Codable {
    /// Reads the texts that `encode` writes.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var texts: [String] = []
        while !container.isAtEnd, texts.count < 64 { texts.append(try container.decode(String.self)) }
        guard let remedy = Remedy(texts) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a remedy")
        }
        self = remedy
    }

    /// Writes the kind and its values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for text in texts { try container.encode(text) }
    }

    private var texts: [String] {
        switch self {
        case .command(let command, let note): ["command", note ?? ""] + command.texts
        case .advice(let text): ["advice", text]
        case .option(let option): ["option"] + option.texts
        case .permission(let change, let file):
            [
                "permission", change.action.rawValue, change.permission.rawValue,
                change.always.map { $0 ? "always" : "whenInUse" } ?? "", change.fullAccuracy ? "full" : "",
            ] + [file].compactMap(\.self)
        }
    }

    private init?(_ texts: [String]) {
        let values = Array(texts.dropFirst())
        switch (texts.first, values.count) {
        case ("command", 2...):
            guard let command = ShellCommand(texts: values.dropFirst()) else { return nil }
            self = .command(command, note: values[0].isEmpty ? nil : values[0])
        case ("advice", 1): self = .advice(values[0])
        case ("option", 1...2):
            guard let option = ProbeOption(values) else { return nil }
            self = .option(option)
        case ("permission", 4...5):
            guard let action = PermissionChange.Action(rawValue: values[0]),
                let permission = Permission(rawValue: values[1])
            else { return nil }
            let change = PermissionChange(
                action, permission, always: values[2].isEmpty ? nil : values[2] == "always",
                fullAccuracy: values[3] == "full")
            self = .permission(change, file: values.dropFirst(4).first)
        default: return nil
        }
    }
}

extension ProbeOption {
    /// The name, and the value if it has one.
    fileprivate var texts: [String] {
        switch self {
        case .timeout(let seconds): ["timeout", "\(seconds)"]
        case .waitForFix(let seconds): ["waitForFix", "\(seconds)"]
        case .maximumAge(let seconds): ["maximumAge", "\(seconds)"]
        case .maximumError(let metres): ["maximumError", "\(metres)"]
        case .depth(let depth): ["depth", depth.rawValue]
        case .inGroup(let group): ["inGroup", group]
        default: [String(describing: self)]
        }
    }

    /// Finds the option with these texts among all that could have this value.
    fileprivate init?(_ texts: [String]) {
        let value = texts.dropFirst().first ?? ""
        let seconds = Int(value) ?? 0
        let options: [ProbeOption] =
            [.timeout(seconds), .waitForFix(seconds), .maximumAge(seconds), .maximumError(seconds), .inGroup(value)]
            + Depth.allCases.map { .depth($0) }
            + [
                .allowSimulated, .allowEstimated, .gpsd, .context, .again, .recordAgain, .asRoot, .onHost,
                .withoutCache,
            ]
        guard let option = options.first(where: { $0.texts == texts }) else { return nil }
        self = option
    }
}

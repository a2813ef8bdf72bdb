import Readiness

/// Every combination of the nine requirements' status: 3⁹, and Bluetooth unchecked in addition, as raw codes.
///
/// A status is coded in two bits: 0 unmet, 1 unknown, 2 met, 3 unchecked (only Bluetooth).
struct AllFacts: Sendable {
    /// The codes of all combinations, each 18 bits.
    let codes: [Int]
    /// The facts of each code, normalised, by position in `codes`.
    let statuses: [RequirementStatuses]
    /// For each code, the positions of the codes that are one step worse in one requirement.
    let worse: [[Int]]

    static let shared = AllFacts()

    private init() {
        var codes = [0]
        for requirement in Requirement.allCases {
            let standings = requirement == .bluetooth ? 0...3 : 0...2
            codes = codes.flatMap { code in standings.map { code | $0 << (2 * Int(requirement.rawValue)) } }
        }
        var positions = [Int](repeating: -1, count: 1 << 18)
        for (position, code) in codes.enumerated() { positions[code] = position }
        self.codes = codes
        statuses = codes.map(Self.statuses)
        worse = codes.map { code in
            Requirement.allCases.compactMap { requirement in
                let shift = 2 * Int(requirement.rawValue)
                let status = code >> shift & 3
                // Unchecked is not a step between others.
                return status == 1 || status == 2 ? positions[code - 1 << shift] : nil
            }
        }
    }

    static func statuses(of code: Int) -> RequirementStatuses {
        var sets: [UInt16] = [0, 0, 0, 0]
        for requirement in Requirement.allCases {
            sets[code >> (2 * Int(requirement.rawValue)) & 3] |= 1 << requirement.rawValue
        }
        return RequirementStatuses(
            met: RequirementSet(rawValue: sets[2]), unknown: RequirementSet(rawValue: sets[1]),
            unchecked: RequirementSet(rawValue: sets[3]))
    }
}

/// One way to create an evaluator, except for the licence.
struct Setting: Sendable, CustomStringConvertible {
    let version: String
    let flags: OptionFlags
    let wholeSession: Bool

    var description: String { "rules \(version), flags \(flags.rawValue), whole session \(wholeSession)" }

    func evaluator(licence: ServiceSet?) throws -> Evaluator {
        try Evaluator(rules: rules(version), flags: flags, licence: licence, wholeSession: wholeSession)
    }

    /// Every combination of rules and their flags, with and without the whole-session rule; 2.6 also covers 2.4, which
    /// has the same rows and one flag fewer.
    static let all: [Setting] = ["1.x", "2.0", "2.6", "2.14"].flatMap { version in
        let known = (try? rules(version).flags) ?? []
        return (0...known.rawValue).map(OptionFlags.init).filter(known.isSuperset(of:)).flatMap { flags in
            [false, true].map { Setting(version: version, flags: flags, wholeSession: $0) }
        }
    }

    /// Licences that give every service all four combinations with its parent: all, none, only parents, only children;
    /// and two that cut across.
    static let licences: [ServiceSet?] = {
        let children = ServiceSet(Service.allCases.filter { $0.parent != nil }.map { ServiceSet($0) })
        return [
            nil, [], children, ServiceSet.all.subtracting(children), ServiceSet(rawValue: 0b1_0101_0101_0101),
            ServiceSet(rawValue: 0b0_1110_1101_1011),
        ]
    }()
}

extension Verdicts {
    /// The services with at least each rank of runs > degraded > undetermined > fails = blocked (> unauthorized), 13
    /// bits per rank: one evaluation is nowhere better than another if it sets no bit that the other lacks.
    var ladder: UInt64 {
        let first = UInt64(runs.rawValue)
        let second = first | UInt64(degraded.rawValue)
        let third = second | UInt64(undetermined.rawValue)
        let fourth = third | UInt64(fails.rawValue) | UInt64(blocked.rawValue)
        return first | second << 16 | third << 32 | fourth << 48
    }
}

package import Readiness

extension [RootCause] {
    /// Each cause with a heading of one line: its number, its title and the effect of its repair.
    package var withHeadings: [(heading: String, cause: RootCause)] {
        enumerated().map { index, cause in
            let earlier = firstIndex { $0.id == cause.alternativeTo }
            let words = [
                "\(index + 1) of \(count)", cause.title,
                earlier.map { "alternative to \($0 + 1)" } ?? groups(of: cause).heading,
            ]
            return (words.joined(separator: " · "), cause)
        }
    }

    /// The effects of the repair of one cause, with the names of the services; empty if its heading has them already.
    package func effectLines(of cause: RootCause) -> [String] {
        let groups = groups(of: cause)
        if groups.count == 1, groups[0].services.count == 1 { return [] }
        return groups.map { $0.words(for: $0.services.map(\.title).joined(separator: ", ")) }
    }

    /// The services in groups on which the repair of a cause has the same effect; those that it alone unlocks come first.
    private func groups(of cause: RootCause) -> [EffectGroup] {
        var groups: [EffectGroup] = []
        for effect in cause.effects {
            // A list without the accepted findings may lack a partner.
            let partners = effect.partners.compactMap { id in firstIndex { $0.id == id } }.map { $0 + 1 }.sorted()
            let group = EffectGroup(
                improvement: effect.improvement, isShared: !effect.partners.isEmpty, partners: partners)
            let place = groups.firstIndex { $0.hasSameEffect(as: group) } ?? groups.endIndex
            if place == groups.endIndex { groups.append(group) }
            groups[place].services.append(effect.service)
        }
        return (0..<4).flatMap { rank in groups.filter { $0.rank == rank } }
    }
}

/// Services on which the repair of a cause has the same effect.
private struct EffectGroup {
    let improvement: RepairEffect.Improvement
    /// Whether other causes must be repaired too.
    let isShared: Bool
    /// Their numbers in the list.
    let partners: [Int]
    var services: [Service] = []

    /// The place in the order: the strongest effect has rank 0.
    var rank: Int { (improvement == .unlocks ? 0 : 2) + (isShared ? 1 : 0) }

    func hasSameEffect(as other: EffectGroup) -> Bool {
        improvement == other.improvement && isShared == other.isShared && partners == other.partners
    }

    func words(for services: String) -> String {
        let with = partners.isEmpty ? "" : ", with \(partners.map(String.init).list("and"))"
        return switch improvement {
        case .unlocks: isShared ? "needed for \(services)\(with)" : "unlocks \(services)"
        case .completes(let isDegradedNow):
            "completes \(services)\(with) (\(isDegradedNow ? "now degraded" : "degraded without it"))"
        }
    }
}

extension [EffectGroup] {
    /// The strongest effect of the repair, in a few words.
    fileprivate var heading: String {
        guard let first else { return "no service depends on this alone" }
        let alike = filter { $0.rank == first.rank }
        let services = alike.flatMap(\.services)
        let named = services.count == 1 ? services[0].title : services.count.counted("service")
        if alike.count == 1 { return first.words(for: named) }
        // The groups differ in their partners or in the present verdict; the lines below the heading show how.
        switch (first.improvement, first.isShared) {
        case (.unlocks, _): return "needed for \(named), with others"
        case (.completes, false): return "completes \(named)"
        case (.completes, true): return "completes \(named), with others"
        }
    }
}

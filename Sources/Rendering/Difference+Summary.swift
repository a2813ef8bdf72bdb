internal import Readiness

extension [Difference] {
    /// Every difference in one line: requirements with their causes, then services; the hardware where neither changed.
    package var summary: String {
        let requirements = Requirement.allCases.flatMap { requirement in
            filter { $0.subject == .requirement(requirement) }.map { difference in
                let detail = difference.after == RequirementStatus.met.rawValue ? nil : difference.detail
                return "\(requirement.title): \(difference.change(Difference.words))"
                    + (detail.map { " (\($0))" } ?? "")
            }
        }
        let services = Service.allCases.flatMap { service in
            filter { $0.subject == .service(service) }.map { "\(service.title) \($0.change())" }
        }
        let parts = requirements + services
        return (parts.isEmpty ? hardware : parts).joined(separator: "; ")
    }

    /// What came, what went, what is another with each sensor, and then what is not a sensor.
    private var hardware: [String] {
        var came: [String] = []
        var went: [String] = []
        var facts: [String: [String]] = [:]
        var others: [String] = []
        var now: [String] = []
        var noLonger: [String] = []
        for difference in self {
            switch difference.subject {
            case .sensor(let kind, let key, _):
                func name(_ key: String?) -> String { "\(kind.title) \(key ?? "")" }
                if difference.id == .new || difference.id == .moved { came.append(name(key)) }
                switch (difference.id, difference.property, difference.after) {
                case (.moved, _, _): went.append(name(difference.before))
                case (.missing, _, _), (.changed, nil, nil): went.append(name(key))
                case (.new, _, _): break
                case (_, let property, _): facts[name(key), default: []].append(difference.change(of: property))
                }
            case .authorization(let permission):
                others.append("\(permission.title) authorization: \(difference.change())")
            case .driver(let driver): others.append("driver \(driver): \(difference.change())")
            case .obstacle, .notice:
                let name = difference.subject.names.name ?? ""
                if difference.after == nil { noLonger.append(name) } else { now.append(name) }
            case .requirement, .service: break
            }
        }
        return came.sorted().map { "\($0) appeared" } + went.sorted().map { "\($0) disappeared" }
            + facts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: ", "))" } + others
            + now.map { "now \($0)" } + noLonger.map { "no longer \($0)" }
    }
}

extension Difference {
    /// Before and after of a sensor's property, or of its availability.
    fileprivate func change(of property: Property?) -> String {
        let sides = [before, after].map { side in
            switch property {
            case .access: "access \(side ?? "unknown")"
            case .label: side ?? "no label"
            case .path: side ?? "no path"
            case .state: side ?? "no state"
            default: side ?? ""
            }
        }
        return sides.joined(separator: " → ")
    }
}

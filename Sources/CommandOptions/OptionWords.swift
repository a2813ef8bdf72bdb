internal import DriverKit
package import LocalRig

// What people type for the options of a rig, in the types of the engine. An error names the option and suggests the
// nearest word.

/// A question to add to a complaint; empty without a suggestion.
package func didYouMean(_ suggestion: String?) -> String { suggestion.map { " Did you mean '\($0)'?" } ?? "" }

extension Service {
    /// Finds the services of an option, each value of which may name several, separated by commas.
    package static func all(named values: [String], by option: String) throws(LocalRigError) -> [Service] {
        var services: [Service] = []
        for word in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard !word.isEmpty else {
                throw LocalRigError(.invalidRequest, "\(option) takes services separated by commas.")
            }
            services.append(try named(String(word)))
        }
        return services
    }

    /// Finds a service by a name of the command line.
    package static func named(_ name: String) throws(LocalRigError) -> Service {
        if let service = Service(named: name) { return service }
        let hint = didYouMean(Service.suggestion(for: name))
        throw LocalRigError(.invalidRequest, "there is no service '\(name)'.\(hint) See 'rigready services'.")
    }
}

extension RulesVersion {
    /// Parses the version of the rules on the command line.
    package static func named(_ name: String) throws(LocalRigError) -> RulesVersion {
        if let version = RulesVersion(name) { return version }
        let hint = RulesVersion.suggestion(for: name).map { " Did you mean \($0)?" } ?? ""
        throw LocalRigError(.invalidRequest, "--rules takes 1.x or 2.MINOR, not '\(name)'.\(hint)")
    }
}

extension LocalRig.Options {
    /// Parses the values of `--sensor`, each `KIND=KEY`.
    package static func pins(_ values: [String]) throws(LocalRigError) -> [SensorKind: String] {
        var pins: [SensorKind: String] = [:]
        for pin in values {
            let parts = pin.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw LocalRigError(.invalidRequest, "--sensor takes KIND=KEY, not '\(pin)'.")
            }
            guard let kind = SensorKind(named: parts[0]) else {
                let kinds = SensorKind.allCases.map(\.id)
                let hint = didYouMean(suggestion(for: parts[0], among: SensorKind.allCases.flatMap(\.names)))
                throw LocalRigError(
                    .invalidRequest,
                    "there is no kind '\(parts[0])'; it is one of \(kinds.joined(separator: ", ")).\(hint)")
            }
            if let other = pins.updateValue(parts[1], forKey: kind) {
                throw LocalRigError(
                    .invalidRequest, "--sensor pins one \(kind.id), not both '\(other)' and '\(parts[1])'.")
            }
        }
        return pins
    }

    /// Checks the values of `--iio`.
    package static func checkContexts(_ uris: [String]) throws(LocalRigError) {
        for uri in uris where !isContext(uri) {
            throw LocalRigError(
                .invalidRequest,
                "--iio takes ip:HOST[:PORT], usb:BUS.ADDRESS.INTERFACE, serial:NODE[,RATE] or xml:FILE, not '\(uri)'.")
        }
    }

    private static func isContext(_ uri: String) -> Bool {
        let place = String(uri.drop { $0 != ":" }.dropFirst())
        switch uri.prefix(while: { $0 != ":" }) {
        case "ip": return HostPort(place, defaultPort: BundledDrivers.gpsd.port) != nil
        case "xml": return !place.isEmpty
        case "serial": return place.hasPrefix("/")
        case "usb":
            let numbers = place.split(separator: ".", omittingEmptySubsequences: false)
            return numbers.count == 3 && numbers.allSatisfy { UInt16($0) != nil }
        default: return false
        }
    }
}

internal import DriverKit
internal import Readiness
internal import SystemPackage

/// Chips on a bus with no driver bound, though an IIO motion driver supports them.
struct UnboundChips {
    private static let kinds: [SensorKind] = [.accelerometer, .gyroscope]
    let world: any World

    /// Adds a candidate for each, and obstacles for what is unknown; returns a summary in one clause.
    ///
    /// Reads only kernel properties, so it touches no chip; skips those of `served`, which have their device.
    func enumeration(into enumeration: inout Enumeration, served: Set<FilePath>) -> String {
        var candidates: [(path: FilePath, candidates: [SensorCandidate])] = []
        var unidentified: [(seen: Evidence, error: DriverError)] = []
        var unlisted: [String] = []
        for subsystem in ["i2c", "spi", "hid", "usb", "platform"] {
            let paths: [FilePath]
            do throws(DriverError) {
                paths = try world.devices(in: subsystem)
            } catch {
                unlisted.append(subsystem)
                enumeration.obstacles += Self.kinds.obstacles(
                    .indeterminate, "chips without a driver on \(subsystem) cannot be listed: \(error.reason)",
                    remedies: error.listingRemedies, evidence: [error.evidence()])
                continue
            }
            for path in paths {
                // Of platform devices only the parts of a sensor hub matter; there are many others.
                let name = path.lastComponent?.string ?? ""
                if subsystem == "platform" && !name.hasPrefix("HID-SENSOR-") || served.contains(path) { continue }
                var properties = Properties(parsing: [])
                do throws(DriverError) {
                    properties = try world.kernelProperties(of: path)
                    if let found = try leadsOf(path, subsystem, properties) { candidates.append((path, found)) }
                } catch {
                    // Removed since it was listed.
                    if error.availability == .unavailable(.absent) { continue }
                    unidentified.append((seen(path, properties), error))
                }
            }
        }
        let found = candidates.inBusOrder(\.path)
        enumeration.candidates += found.flatMap(\.candidates)
        if let first = unidentified.first?.error {
            let count = unidentified.count == 1 ? "1 chip" : "\(unidentified.count) chips"
            enumeration.obstacles += Self.kinds.obstacles(
                .indeterminate, "\(count) without driver could not be identified: \(first.reason)",
                remedies: remedies(for: first), evidence: [first.evidence()] + unidentified.prefix(8).map(\.seen))
        }
        let names = found.compactMap(\.candidates.first?.sensor.name)
        return [
            "unbound motion chips: \(names.isEmpty ? "none" : counted(names, "chip"))",
            unidentified.isEmpty ? nil : "\(unidentified.count) without driver not identified",
            unlisted.isEmpty ? nil : "not listed: \(unlisted.joined(separator: ", "))",
        ].compactMap(\.self).joined(separator: "; ")
    }

    private func remedies(for error: DriverError) -> [Remedy] {
        switch (error.code, error.errno) {
        case (.notRecorded, _): DeviceHost.recordAgain
        case (.unsupported, nil): [.command("sudo apt-get install libkmod2")]
        case (.unsupported, .noSuchFileOrDirectory):
            [.command("sudo depmod", note: "in a container: run it on the host")]
        case (_, .permissionDenied), (_, .notPermitted):
            ShellWord.quoted(error.subject).map { [.command("sudo chmod a+r \($0)")] } ?? [.option(.asRoot)]
        default: [.command("sudo dmesg")]
        }
    }

    private func seen(_ path: FilePath, _ properties: Properties, of key: String? = nil) -> Evidence {
        Evidence(
            sensor: key, path: path.appending("uevent").string,
            said: "DRIVER is \(properties["DRIVER"] ?? "none"), "
                + "MODALIAS \(properties["MODALIAS"].map { quoted(Array($0.utf8)) } ?? "unknown")")
    }

    private func leadsOf(
        _ path: FilePath, _ subsystem: String, _ properties: Properties
    ) throws(DriverError) -> [SensorCandidate]? {
        guard let alias = properties["MODALIAS"], !alias.isEmpty else { return nil }
        if subsystem == "hid", let usages = try HubDescriptor.unserved(at: path, properties, in: world) {
            let hub = Module("kernel/drivers/hid/hid-sensor-hub.ko")
            return candidates(path, alias, properties, [hub], usages).map { candidate in
                // The key that the sensor will have once its hub is served.
                var candidate = candidate
                candidate.sensor.key +=
                    candidate.sensor.kind == .gyroscope ? "/HID-SENSOR-200076" : "/HID-SENSOR-200073"
                candidate.sensor.evidence = [seen(path, properties, of: candidate.sensor.key)]
                return candidate
            }
        }
        // The accelerometer's module also serves usage 7b, gravity, which is not a supported sensor.
        let usages = ["HID-SENSOR-200073", "HID-SENSOR-200076"]
        if subsystem == "platform" && !usages.contains(where: alias.hasSuffix) { return nil }
        guard properties["DRIVER"] == nil else { return nil }
        let modules: [Module]
        do throws(DriverError) {
            modules = try world.modules(for: alias).map(Module.init)
        } catch {
            // Motion chips are on i2c and spi, or are parts of a hub: other unbound devices may stay unknown.
            if subsystem == "hid" || subsystem == "usb" { return nil }
            throw error
        }
        let kinds = Set(modules.flatMap(\.kinds))
        guard !kinds.isEmpty else { return nil }
        return candidates(path, alias, properties, modules.filter { !$0.kinds.isEmpty }, kinds)
    }

    private func candidates(
        _ path: FilePath, _ alias: String, _ properties: Properties, _ modules: [Module], _ kinds: Set<SensorKind>
    ) -> [SensorCandidate] {
        guard let module = modules.first else { return [] }
        let place = path.components.suffix(2).map(\.string).joined(separator: "/")
        let name = chipName(path, alias)
        let key = PhysicalPlace.key(of: path, in: world)
        let names = modules.map(\.name).joined(separator: ", ")
        let isLoaded =
            module.isBuiltin || world.exists(FilePath("/sys/module").appending(module.name))
        let detail: String
        let remedies: [Remedy]
        if isLoaded {
            detail = "\(name) sits at \(place) with no driver bound; \(module.name) is loaded and did not take it"
            remedies = DeviceHost.log(of: path.lastComponent?.string ?? module.name)
        } else {
            detail = "\(name) sits at \(place) with no driver bound; \(names) would drive it"
            remedies = [.command("sudo modprobe \(module.name)")]
        }
        return kinds.sorted().map { kind in
            SensorCandidate(
                Sensor(
                    key: key, kind: kind, name: name, driver: "iio", path: path.lastComponent?.string,
                    availability: .unavailable(.noDriver), detail: detail, remedies: remedies,
                    evidence: [seen(path, properties, of: key)]),
                isOpen: false)
        }
    }

    private func chipName(_ path: FilePath, _ alias: String) -> String {
        if let name = world.line(of: path.appending("name")) { return name }
        let id = alias.split(separator: ":").dropFirst().first.map { PeerText.line($0.utf8) } ?? nil
        return id ?? path.lastComponent?.string ?? alias
    }
}

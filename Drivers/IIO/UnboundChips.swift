internal import DriverKit
package import Readiness
internal import SystemPackage

/// Chips that sit on their bus with no driver bound, though an IIO motion driver knows them.
struct UnboundChips {
    let world: any World

    /// Adds a lead for each; reads kernel properties alone, so it touches no chip.
    func survey(into survey: inout Survey) {
        var leads: [(path: FilePath, leads: [Lead])] = []
        for subsystem in ["i2c", "spi", "hid", "usb", "platform"] {
            do throws(DriverError) {
                for path in try world.devices(in: subsystem) {
                    // Of platform devices only the parts of a sensor hub are of concern; there are many others.
                    let name = path.lastComponent?.string ?? ""
                    if subsystem == "platform" && !name.hasPrefix("HID-SENSOR-") { continue }
                    if let found = leadsOf(path, subsystem) { leads.append((path, found)) }
                }
            } catch {
                survey.obstacles += [SensorKind.accelerometer, .gyroscope].map { kind in
                    Obstacle(
                        kind: kind, cause: .indeterminate,
                        detail: "chips without a driver on \(subsystem) cannot be listed: \(error.reason)",
                        evidence: [error.evidence()])
                }
            }
        }
        survey.leads += leads.sorted { inBusOrder($0.path.string, $1.path.string) }.flatMap(\.leads)
    }

    private func leadsOf(_ path: FilePath, _ subsystem: String) -> [Lead]? {
        guard let properties = try? world.kernelProperties(of: path), let alias = properties["MODALIAS"] else {
            return nil
        }
        if subsystem == "hid", let usages = HubDescriptor.unserved(at: path, properties, in: world) {
            let hub = Module("kernel/drivers/hid/hid-sensor-hub.ko")
            return leads(path, alias, properties, [hub], usages).map { lead in
                // The key that the sensor will have once its hub is served.
                var lead = lead
                lead.sensor.key += lead.sensor.kind == .gyroscope ? "/HID-SENSOR-200076" : "/HID-SENSOR-200073"
                lead.sensor.evidence = lead.sensor.evidence.map { evidence in
                    Evidence(sensor: lead.sensor.key, path: evidence.path, said: evidence.said)
                }
                return lead
            }
        }
        guard properties["DRIVER"] == nil, !alias.isEmpty, alias.utf8.count <= 1024,
            let modules = try? world.modules(for: alias).map(Module.init)
        else { return nil }
        var kinds = Set(modules.flatMap(\.kinds))
        // The accelerometer's module also serves usage 7b, gravity, which is none.
        if subsystem == "platform" && !["HID-SENSOR-200073", "HID-SENSOR-200076"].contains(where: alias.hasSuffix) {
            kinds = []
        }
        guard !kinds.isEmpty else { return nil }
        return leads(path, alias, properties, modules.filter { !$0.kinds.isEmpty }, kinds)
    }

    private func leads(
        _ path: FilePath, _ alias: String, _ properties: Properties, _ modules: [Module], _ kinds: Set<SensorKind>
    ) -> [Lead] {
        guard let module = modules.first else { return [] }
        let place = path.components.suffix(2).map(\.string).joined(separator: "/")
        let name = chipName(path, alias)
        let key = PhysicalPlace.key(of: path, in: world)
        let names = modules.map(\.name).joined(separator: ", ")
        let isLoaded =
            module.isBuiltin || (try? world.status(of: FilePath("/sys/module").appending(module.name))) != nil
        let detail: String
        let remedy: String
        if isLoaded {
            detail = "\(name) sits at \(place) with no driver bound; \(module.name) is loaded and did not take it"
            remedy = "sudo dmesg | grep \(path.lastComponent?.string ?? module.name)"
        } else {
            detail = "\(name) sits at \(place) with no driver bound; \(names) would drive it"
            remedy = "sudo modprobe \(module.name)"
        }
        return kinds.sorted().map { kind in
            Lead(
                Sensor(
                    key: key, kind: kind, name: name, driver: "iio", path: path.lastComponent?.string,
                    availability: .unavailable(.noDriver), detail: detail, remedy: remedy,
                    evidence: [
                        Evidence(
                            sensor: key, path: path.appending("uevent").string,
                            said: "DRIVER is \(properties["DRIVER"] ?? "none"), MODALIAS \(quoted(Array(alias.utf8)))")
                    ]),
                isOpen: false)
        }
    }

    private func chipName(_ path: FilePath, _ alias: String) -> String {
        if let bytes = try? world.contents(of: path.appending("name"), limit: 4096), let name = oneLine(bytes) {
            return name
        }
        let id = alias.split(separator: ":").dropFirst().first.map { oneLine($0.utf8) } ?? nil
        return id ?? path.lastComponent?.string ?? alias
    }
}

/// A kernel module by its file, such as `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko.xz`.
package struct Module: Sendable, Hashable {
    /// The name that `modprobe` takes.
    package let name: String
    /// The motion sensors that it drives: its folder below `drivers/iio` tells.
    package let kinds: [SensorKind]
    /// Whether it is part of the kernel, which comes without `.ko`.
    let isBuiltin: Bool

    /// Reads a module's path.
    package init(_ path: String) {
        let words = path.split(separator: "/")
        let stem = words.last?.split(separator: ".", omittingEmptySubsequences: false).first ?? ""
        // Only what is plain can stand in a command.
        let plain = stem.map { $0 == "-" ? "_" : $0 }
        name = String(plain.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        isBuiltin = !path.contains(".ko")
        let below = words.firstIndex(of: "iio").map { words[($0 + 1)...] } ?? []
        switch name.isEmpty || !path.contains("drivers/iio/") ? nil : below.first {
        case "accel": kinds = [.accelerometer]
        case "gyro": kinds = [.gyroscope]
        case "imu": kinds = [.accelerometer, .gyroscope]
        default: kinds = []
        }
    }
}

internal import DriverKit
internal import Linux
package import Readiness
internal import SystemPackage

/// Chips on a bus with no driver bound, though an IIO motion driver supports them.
struct UnboundChips {
    private static let kinds: [SensorKind] = [.accelerometer, .gyroscope]
    let world: any World

    /// Adds a candidate for each, and obstacles for what is unknown; returns a summary in one clause.
    ///
    /// Reads only kernel properties, so it touches no chip; skips the names of `served`, which have their device: no name
    /// on one of these buses, and of a hub's part, has the form of another's.
    func enumeration(into enumeration: inout Enumeration, served: Set<String>) -> String {
        var candidates: [(path: FilePath, candidates: [SensorCandidate])] = []
        var unidentified = (count: 0, error: DriverError?.none, seen: [Evidence]())
        var unlisted: [String] = []
        var room = Enumeration.candidateLimit - enumeration.candidates.count
        for subsystem in ["i2c", "spi", "hid", "usb", "platform"] {
            let paths: [FilePath]
            do throws(DriverError) {
                paths = try world.devices(in: subsystem, besides: served)
            } catch {
                unlisted.append(subsystem)
                enumeration.obstacles += Self.kinds.obstacles(
                    .indeterminate, "chips without a driver on \(subsystem) cannot be listed: \(error.reason)",
                    remedies: error.listingRemedies(in: world), evidence: [error.evidence()])
                continue
            }
            for path in paths where room >= 0 {
                // Of platform devices only the parts of a sensor hub matter; there are many others.
                let isOther = subsystem == "platform" && path.lastComponent?.string.hasPrefix("HID-SENSOR-") != true
                if isOther { continue }
                var properties = Properties(parsing: [])
                do throws(DriverError) {
                    properties = try world.kernelProperties(of: path)
                    guard let found = try leadsOf(path, subsystem, properties) else { continue }
                    candidates.append((path, found))
                    room -= found.count
                } catch {
                    // Removed since it was listed.
                    if error.availability == .unavailable(.absent) { continue }
                    unidentified.count += 1
                    unidentified.error = unidentified.error ?? error
                    if unidentified.count <= 8 { unidentified.seen.append(seen(path, properties)) }
                }
            }
        }
        let found = candidates.inBusOrder(\.path.string)
        enumeration.candidates += found.flatMap(\.candidates)
        if let first = unidentified.error {
            let count = unidentified.count == 1 ? "1 chip" : "\(unidentified.count) chips"
            enumeration.obstacles += Self.kinds.obstacles(
                .indeterminate, "\(count) without driver could not be identified: \(first.reason)",
                remedies: remedies(for: first), evidence: [first.evidence()] + unidentified.seen)
        }
        let names = found.compactMap(\.candidates.first?.sensor.name)
        return [
            "unbound motion chips: \(names.isEmpty ? "none" : counted(names, "chip"))",
            unidentified.count == 0 ? nil : "\(unidentified.count) without driver not identified",
            room < 0 ? "further ones not looked for" : nil,
            unlisted.isEmpty ? nil : "not listed: \(unlisted.joined(separator: ", "))",
        ].compactMap(\.self).joined(separator: "; ")
    }

    private func remedies(for error: DriverError) -> [Remedy] {
        switch (error.code, error.errno) {
        case (.notRecorded, _): [.option(.recordAgain)]
        case (.unsupported, nil): [.command("sudo apt-get install libkmod2")]
        case (.unsupported, .noSuchFileOrDirectory):
            [.command("sudo depmod", note: "in a container: run it on the host")]
        case (_, .permissionDenied), (_, .notPermitted):
            ShellWord(error.subject).map { [.command("sudo chmod a+r \($0)")] } ?? [.option(.asRoot)]
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
            detail = "\(name) at \(place) has no driver; \(module.name) is loaded but did not bind to it"
            remedies = DeviceHost.log(of: path.lastComponent?.string ?? module.name)
        } else {
            detail = "\(name) at \(place) has no driver; the module for it is \(names)"
            remedies = ShellWord(module.name).map { [.command("sudo modprobe \($0)")] } ?? []
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

/// A kernel module by its file, such as `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko.xz`.
package struct Module: Sendable, Equatable {
    /// The name that `modprobe` takes.
    package let name: String
    /// The motion sensors that it drives, by its folder below `drivers/iio`.
    package let kinds: [SensorKind]
    /// Whether it is built into the kernel: then it has no `.ko`.
    let isBuiltin: Bool

    package init(_ path: String) {
        let words = path.split(separator: "/")
        let stem = words.last?.split(separator: ".", omittingEmptySubsequences: false).first ?? ""
        // Only plain characters may be used in a command.
        let plain = stem.map { $0 == "-" ? "_" : $0 }
        name = String(plain.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        isBuiltin = !path.includes(".ko")
        let below = words.firstIndex(of: "iio").map { words[($0 + 1)...] } ?? []
        switch name.isEmpty || !path.includes("drivers/iio/") ? nil : below.first {
        case "accel": kinds = [.accelerometer]
        case "gyro": kinds = [.gyroscope]
        case "imu":
            // Modules for an accelerometer with a compass are in this folder too.
            let turns = !["fxos8700", "kmx61", "st_lsm9ds0"].contains(where: name.hasPrefix)
            kinds = turns ? [.accelerometer, .gyroscope] : [.accelerometer]
        default: kinds = []
        }
    }
}

/// The report descriptor of a HID sensor hub: which sensors it has.
///
/// Source: Device Class Definition for HID 1.11, section 6.2.2; HID Usage Tables, page 0x20 (sensors).
package enum HubDescriptor {
    /// The motion sensors of a hub that its driver does not serve; nil for a device that is no hub, or is served.
    ///
    /// The kernel gives a hub to `hid-generic` until `hid-sensor-hub` is loaded, so a hub has a driver either way.
    static func unserved(at path: FilePath, _ properties: Properties, in world: some World)
        throws(DriverError) -> Set<SensorKind>?
    {
        // Group 2 is HID_GROUP_SENSOR_HUB, which the kernel found in the descriptor.
        guard let alias = properties["MODALIAS"], alias.hasPrefix("hid:b"), alias.dropFirst(9).hasPrefix("g0002"),
            [nil, "hid-generic"].contains(properties["DRIVER"])
        else { return nil }
        let kinds = Self.kinds(in: try world.contents(of: path.appending("report_descriptor"), limit: 4096))
        return kinds.isEmpty ? nil : kinds
    }

    package static func kinds(in descriptor: [UInt8]) -> Set<SensorKind> {
        var kinds: Set<SensorKind> = []
        var page: UInt32 = 0
        var usage: UInt32?
        var rest = descriptor[...]
        while let prefix = rest.popFirst() {
            // A long item contains its own length; none is in use.
            guard prefix != 0xfe else { break }
            let size = [0, 1, 2, 4][Int(prefix & 3)]
            guard rest.count >= size else { break }
            let value = rest.prefix(size).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(size)
            switch prefix & 0xfc {
            case 0x04: page = value
            case 0x08: usage = size == 4 ? value : page << 16 | value
            case 0xa0:
                if usage == 0x20_0073 { kinds.insert(.accelerometer) }
                if usage == 0x20_0076 { kinds.insert(.gyroscope) }
                usage = nil
            case 0x80, 0x90, 0xb0, 0xc0: usage = nil
            default: break
            }
        }
        return kinds
    }
}

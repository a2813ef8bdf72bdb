internal import DriverKit
internal import Linux
internal import Readiness
internal import Synchronization
internal import SystemPackage

final class EvdevSession: Session {
    private struct Listing {
        var devices: [InputDevice] = []
        /// What the candidates refer to, by their tokens.
        var targets: [(device: Int, kind: SensorKind)] = []
        /// The devices as they are being read, by their place among `devices`.
        var readings: [Int: MotionReading] = [:]
    }

    private let world: any World
    private let listing = Mutex(Listing())
    private let channels = OpenChannels()

    init(_ world: any World) { self.world = world }

    /// Lists motion sensors from sysfs; opens no device.
    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        var enumeration = Enumeration()
        let paths = try InputDevice.paths(in: world)
        var names: [String] = []
        lazy var profile = SecurityModule.appArmorProfile(in: world)
        lazy var lacksUdev = ContainerEnvironment.lacksUdev(in: world)
        for path in paths where !enumeration.isFull {
            do throws(DriverError) {
                guard let device = try InputDevice(path, in: world) else {
                    if lacksUdev, InputDevice.isLikeAccelerometer(path, in: world) {
                        enumeration.obstacles.append(unclassified(path))
                    }
                    continue
                }
                names.append(device.name)
                list(device, depth, profile, into: &enumeration)
            } catch {
                enumeration.obstacles += EvdevDriver.kinds.obstacles(
                    .indeterminate,
                    "\(path.lastComponent?.string ?? "an input device") cannot be listed: \(error.reason)",
                    remedies: error.isDenied
                        ? [.option(.asRoot)] : EvdevRemedies(node: path.string, world: world).remedies(for: error),
                    evidence: [error.evidence()])
            }
        }
        enumeration.makeKeysDistinct()
        let found =
            names.isEmpty
            ? "none of them a motion sensor" : "motion sensors: \(names.prefix(8).joined(separator: ", "))"
        enumeration.searched = Evidence(
            path: "/sys/class/input",
            said: paths.isEmpty ? "no input device" : "\(paths.count) input devices, \(found)")
        return enumeration
    }

    /// A device that only udev tells from a joystick, where its database is not to be had.
    private func unclassified(_ path: FilePath) -> Obstacle {
        let name = world.line(of: path.removingLastComponent().appending("name")) ?? "an input device"
        return Obstacle(
            kind: .accelerometer, cause: .indeterminate,
            detail: "only udev's database shows whether \(name) is an accelerometer, and this container does not "
                + "have it",
            remedies: [HostMount.udev.remedy],
            evidence: [Evidence(path: path.string, said: "three axes, no key, and no \(HostMount.database)")])
    }

    /// Adds a device's sensors; `profile` is that of AppArmor by which this process is confined.
    private func list(
        _ device: InputDevice, _ depth: Depth, _ profile: String?, into enumeration: inout Enumeration
    ) {
        let kinds = device.kinds
        let first = listing.withLock { listing in
            listing.devices.append(device)
            listing.targets += kinds.map { (listing.devices.count - 1, $0) }
            return listing.targets.count - kinds.count
        }
        for (index, kind) in kinds.enumerated() {
            var sensor = device.sensor(kind)
            if sensor.access == .readable, let profile {
                sensor.doubtAccess(under: profile)
                sensor.evidence = [sensor.accessEvidence].compactMap(\.self)
            }
            enumeration.candidates.append(
                SensorCandidate(sensor, isOpen: depth == .sample, token: first + index, group: device.path.string))
        }
    }

    /// Reads the device until a report concerns the sensor, or its time is up.
    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        let found = listing.withLock { listing -> (Int, SensorKind, InputDevice, MotionReading?)? in
            guard listing.targets.indices.contains(candidate.token) else { return nil }
            let (place, kind) = listing.targets[candidate.token]
            return (place, kind, listing.devices[place], listing.readings[place])
        }
        guard let (place, kind, device, begun) = found else { return Finding(candidate.sensor) }
        guard candidate.sensor.access != .denied else {
            return Finding(candidate.sensor.refused(because: "this user may not read \(device.node)", device.remedies))
        }
        let now = world.now()
        var reading = begun ?? MotionReading(device, since: now)
        if begun == nil {
            do throws(DriverError) {
                let channel = try world.channel(to: .evdev(device.node), until: deadline)
                channels.keep(channel)
                reading.ask(channel, until: deadline)
                if device.kinds.contains(.accelerometer) { reading.mountMatrix = device.mountMatrix(in: world) }
            } catch {
                reading.failure = error
            }
        }
        // Those of its kinds that are asked later need time too.
        let left = device.kinds.filter { reading.isOpen($0) }.count
        let share = now.seconds(to: deadline) / Double(max(left, 1))
        reading.watch(kind, in: world, until: now.advanced(bySeconds: share))
        listing.withLock { $0.readings[place] = reading }
        return reading.finding(candidate.sensor, kind, at: world.now()) { world.isListed(device.path) }
    }

    func progress(of candidate: SensorCandidate) -> String? {
        "no report yet; a device at rest may send none: move the device"
    }

    func cancel() { channels.cancel() }
}

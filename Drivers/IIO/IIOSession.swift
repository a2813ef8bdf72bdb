internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

final class IIOSession: Session {
    /// What a candidate refers to, by its token: a device, and one of its plans.
    private struct Target {
        let device: IIODevice
        let place: Int
        /// The sampling frequency, if it was read before the values.
        var frequency: Result<[UInt8], DriverError>?

        var plan: SensorPlan { device.plans[place] }
    }

    private let world: any World
    private let targets = Mutex<[Target]>([])
    private let container = Mutex<Bool?>(nil)
    /// The AppArmor profile of this process; nil until it is asked, empty if there is none.
    private let profile = Mutex<String?>(nil)

    init(_ world: any World) { self.world = world }

    /// Lists devices, their attributes' names and chips without a driver; reads no value.
    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        var enumeration = Enumeration()
        var names: [String] = []
        var known = SensorPlans()
        let paths: [FilePath]
        do throws(DriverError) {
            paths = try IIODevice.paths(in: world)
        } catch {
            // A machine, or a container, that shows no sysfs.
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            let detail = "the devices cannot be listed: \(error.description)"
            let obstacles = IIODriver.kinds.obstacles(
                .indeterminate, detail, remedies: error.listingRemedies(in: world), evidence: [error.evidence()])
            return Enumeration(obstacles: obstacles, state: .failed, detail: detail)
        }
        // Most have an accelerometer and a gyroscope.
        enumeration.candidates.reserveCapacity(min(paths.count * 2, Enumeration.candidateLimit))
        var looked = 0
        for path in paths where !enumeration.isFull {
            if let name = list(path, depth, &known, into: &enumeration) { names.append(name) }
            looked += 1
        }
        let served = Set(paths.map(IIODevice.chip))
        let unbound = UnboundChips(world: world).enumeration(into: &enumeration, served: served)
        enumeration.makeKeysDistinct()
        if targets.withLock({ !$0.isEmpty && $0.allSatisfy(\.device.udev.isEmpty) }),
            ContainerEnvironment.lacksUdev(in: world)
        {
            enumeration.notices.append(
                Notice(
                    .containerized,
                    detail: "this is a container without the host's /run/udev: labels, mount matrices and places that "
                        + "udev keeps are unknown; \(HostMount.udev.remedy.words)"))
        }
        let first = looked < paths.count ? "of \(paths.count) the first " : ""
        enumeration.searched = Evidence(
            path: "/sys/bus/iio/devices", said: "\(first)\(counted(names, "IIO device")) (\(unbound))")
        return enumeration
    }

    /// Whether this is a container; found out once, if anything is missing.
    private func isContainer() -> Bool {
        if let known = container.withLock(\.self) { return known }
        let found = ContainerEnvironment.container(in: world) != nil
        container.withLock { $0 = found }
        return found
    }

    /// The AppArmor profile that confines this process; read once.
    private func appArmorProfile() -> String? {
        let known = profile.withLock { profile in
            let found = profile ?? SecurityModule.appArmorProfile(in: world) ?? ""
            profile = found
            return found
        }
        return known.isEmpty ? nil : known
    }

    /// Adds a device's sensors; returns its name, or nil for one that was removed.
    private func list(
        _ path: FilePath, _ depth: Depth, _ known: inout SensorPlans, into enumeration: inout Enumeration
    ) -> String? {
        let device: IIODevice
        do throws(DriverError) {
            guard let found = try IIODevice(path, in: world, &known) else {
                return world.line(of: path.appending("name")) ?? path.lastComponent?.string ?? "iio:device"
            }
            device = found
        } catch {
            // Removed since it was listed: no device, and no fault.
            if error.availability == .unavailable(.absent) { return nil }
            let id = path.lastComponent?.string ?? "a device"
            let remedies =
                error.isDenied ? ShellWord(path.string).map { [Remedy.command("sudo chmod a+rx \($0)")] } : nil
            enumeration.obstacles += IIODriver.kinds.obstacles(
                .indeterminate, "\(id) cannot be listed: \(error.reason)",
                remedies: remedies ?? error.listingRemedies(in: world), evidence: [error.evidence()])
            return id
        }
        let first = targets.withLock { targets in
            targets += device.plans.indices.map { Target(device: device, place: $0) }
            return targets.count - device.plans.count
        }
        let group = device.path.string
        for (index, plan) in device.plans.enumerated() {
            var sensor = device.sensor(plan, in: world)
            if device.isWithoutNode, isContainer() { device.addMissingNode(to: &sensor) }
            if sensor.access == .readable, let profile = appArmorProfile() {
                device.doubtAccess(to: &sensor, under: profile)
            }
            // At other depths than `sample` there is nothing more to ask.
            enumeration.candidates.append(
                SensorCandidate(sensor, isOpen: depth == .sample, token: first + index, group: group))
        }
        return device.name
    }

    /// Reads the sampling frequency, unless that hangs where the values do: a HID hub answers for its own settings.
    func readingTime(of candidate: SensorCandidate, until deadline: Instant) -> ReadingTime? {
        guard let target = target(of: candidate), let attribute = target.plan.frequency, !target.device.isPartOfHub
        else { return nil }
        let path = target.device.path
        let answer = LocalAttributes(target.device, in: world).answer(attribute)
        targets.withLock { $0[candidate.token].frequency = answer }
        guard let frequency = (try? answer.get()).flatMap({ SamplingFrequency($0) }) else { return nil }
        return ReadingTime(
            target.plan, at: frequency,
            kernelDriver: { (try? world.kernelProperties(of: path.removingLastComponent()))?["DRIVER"] },
            faster: {
                let available = try? world.contents(of: path.appending(attribute + "_available"), limit: 4096)
                guard let rate = available.flatMap({ ReadingTime.fasterRate(in: $0) }).flatMap({ ShellWord($0) }),
                    let file = ShellWord(path.appending(attribute).string)
                else { return [] }
                return [.command("echo \(rate) | sudo tee \(file)")]
            })
    }

    private func target(of candidate: SensorCandidate) -> Target? {
        targets.withLock { $0.indices.contains(candidate.token) ? $0[candidate.token] : nil }
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        guard let target = target(of: candidate) else { return Finding(candidate.sensor) }
        let reader = LocalAttributes(target.device, in: world)
        let sample = Sample(target.plan, from: reader, knownFrequency: target.frequency)
        return Finding(sample, of: candidate.sensor, at: .local(target.device.path))
    }

    /// Does nothing: the thread of a read of sysfs that lasts is abandoned.
    func cancel() {}
}

/// The count and the names, as many as fit in a line.
func counted(_ names: [String], _ noun: String) -> String {
    guard !names.isEmpty else { return "no \(noun)" }
    let shown = names.prefix(8).joined(separator: ", ")
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return "\(names.count) \(noun)\(names.count == 1 ? "" : "s"): \(shown)\(rest)"
}

extension DriverError {
    /// What would complete a listing that this error cut short.
    func listingRemedies(in world: any World) -> [Remedy] {
        if code == .notRecorded { return [.option(.recordAgain)] }
        if isDenied { return [.option(.asRoot)] }
        return errno == .noSuchFileOrDirectory ? HostMount.sysfsRemedies(in: world) : [.command("sudo dmesg")]
    }
}

internal import DriverKit
internal import Readiness
internal import SystemPackage

/// One device of the subsystem, as listing alone shows it.
struct IIODevice: Sendable {
    let path: FilePath
    /// The names in its folder.
    let attributes: Set<String>
    let plans: [SensorPlan]
    let kernel: Properties
    /// What the driver calls it, else the kernel.
    let name: String
    private let key: String
    private let label: String?
    private let location: String?
    private let node: (path: FilePath, status: Result<NodeStatus, DriverError>)?
    private let values: [Result<NodeStatus, DriverError>]

    /// Lists a device; nil where it is no sensor of concern.
    ///
    /// Only a folder that cannot be listed throws; what else is missing, the device goes without.
    init?(_ path: FilePath, in world: some World) throws(DriverError) {
        let names = try world.entries(of: path)
        plans = SensorPlan.plans(for: names)
        guard !plans.isEmpty else { return nil }
        self.path = path
        attributes = Set(names)
        func text(_ attribute: String) -> String? {
            guard names.contains(attribute),
                let bytes = try? world.contents(of: path.appending(attribute), limit: 4096)
            else { return nil }
            return oneLine(bytes)
        }
        name = Self.name(at: path, names, in: world)
        label = text("label")
        location = text("location")
        kernel = (try? world.kernelProperties(of: path)) ?? Properties(parsing: [])
        key = PhysicalPlace.key(of: path.removingLastComponent(), in: world)
        if let name = kernel["DEVNAME"], !name.contains("/"), name.hasPrefix("iio:") {
            let node = FilePath("/dev").appending(name)
            self.node = (node, Self.status(node, world))
        } else {
            node = nil
        }
        // Where there is no node to capture from, the values stand for it; steps are read from sysfs always.
        let hasNode = node != nil
        values = plans.map { plan in
            hasNode && plan.kind != .stepCounter
                ? .failure(DriverError(.unsupported, subject: path.string))
                : Self.status(path.appending(plan.first), world)
        }
    }

    /// What a device is called, be it a sensor or not.
    static func name(at path: FilePath, _ names: [String], in world: some World) -> String {
        let id = path.lastComponent?.string ?? "iio:device"
        guard names.contains("name"), let bytes = try? world.contents(of: path.appending("name"), limit: 4096) else {
            return id
        }
        return oneLine(bytes) ?? id
    }

    private static func status(_ path: FilePath, _ world: some World) -> Result<NodeStatus, DriverError> {
        do throws(DriverError) {
            return .success(try world.status(of: path))
        } catch {
            return .failure(error)
        }
    }

    /// The sensor of a plan, with what its node allows.
    func sensor(_ plan: SensorPlan, in world: any World) -> Sensor {
        var sensor = Sensor(
            key: key, kind: plan.kind, name: name, driver: "iio", path: path.lastComponent?.string, label: label,
            detail: location.map { "at \($0)" })
        let decisive: (path: FilePath, status: Result<NodeStatus, DriverError>)? =
            if plan.kind != .stepCounter, let node {
                node
            } else {
                plans.firstIndex(of: plan).map { (path.appending(plan.first), values[$0]) }
            }
        guard let decisive else { return sensor }
        switch decisive.status {
        case .success(let status):
            sensor.access = status.readable ? .readable : .denied
            sensor.isAccessBySeat = status.right?.endsWithSeat ?? false
            sensor.evidence.append(
                Evidence(
                    sensor: key, path: decisive.path.string, errno: status.readable ? nil : "EACCES",
                    said: status.clause))
            if !status.readable { sensor.accessRemedy = remedy(decisive.path, status, world) }
        case .failure(let error):
            sensor.access = error.isDenied ? .denied : .unknown
            sensor.evidence.append(error.evidence(of: key))
            if error.isDenied { sensor.accessRemedy = remedy(decisive.path, nil, world) }
        }
        return sensor
    }

    /// What lets this user read a node or a value.
    private func remedy(_ path: FilePath, _ status: NodeStatus?, _ world: any World) -> String {
        if path == node?.path { return NodeRemedy(world: world).text(for: path, status) }
        return shellWord(path.string).map { "sudo chmod a+r \($0)" } ?? "sudo rigready"
    }
}

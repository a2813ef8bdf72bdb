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
    private let name: String
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
        let id = path.lastComponent?.string ?? "iio:device"
        func text(_ attribute: String) -> String? {
            guard names.contains(attribute),
                let bytes = try? world.contents(of: path.appending(attribute), limit: 4096)
            else { return nil }
            return oneLine(bytes)
        }
        name = text("name") ?? id
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

    private static func status(_ path: FilePath, _ world: some World) -> Result<NodeStatus, DriverError> {
        do throws(DriverError) {
            return .success(try world.status(of: path))
        } catch {
            return .failure(error)
        }
    }

    /// The sensor of a plan, with what its node allows.
    func sensor(_ plan: SensorPlan) -> Sensor {
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
            sensor.evidence.append(
                Evidence(
                    sensor: key, path: decisive.path.string, errno: status.readable ? nil : "EACCES",
                    said: status.clause))
            if !status.readable {
                sensor.remedy = Self.remedy(decisive.path, status, isNode: decisive.path == node?.path)
            }
        case .failure(let error):
            sensor.access = error.isDenied ? .denied : .unknown
            sensor.evidence.append(error.evidence(of: key))
        }
        return sensor
    }

    /// What lets this user read a node or a value.
    private static func remedy(_ path: FilePath, _ status: NodeStatus, isNode: Bool) -> String {
        guard isNode else { return "sudo chmod a+r \(path.string)" }
        // A group may read it, so a rule is there, and only the user is not in the group.
        if status.mode & 0o040 != 0 && status.group != 0 {
            return "sudo usermod -aG \(status.group) \"$USER\"    # then log in again"
        }
        return "sudo groupadd --system --force iio && sudo usermod -aG iio \"$USER\""
            + " && sudo cp udev-rules/70-rigready-iio.rules /etc/udev/rules.d/ && sudo udevadm control --reload"
            + " && sudo udevadm trigger --subsystem-match=iio --action=change    # then log in again"
    }
}

package import DriverKit
internal import Glibc
internal import Linux
package import Readiness
package import SystemPackage

/// One device of the subsystem, as listed without reading values.
///
/// A class, since it is passed on for each of its sensors, and would be long to copy.
package final class IIODevice: Sendable {
    package let path: FilePath
    /// The kernel's name of it, such as `iio:device0`.
    package let kernelName: String
    /// The names in its folder except those of input channels, such as `buffer` and `trigger`.
    package let attributes: [String]
    package let plans: [SensorPlan]
    let kernel: Properties
    let udev: Properties
    /// The name given by the driver, or else by the kernel.
    package let name: String
    package let key: String
    package let label: String?
    private let location: String?
    package let node: (path: FilePath, status: Result<NodeStatus, DriverError>)?
    /// What the status of the node says about access.
    private let nodeEvidence: Evidence?
    /// Those of the values that decide about access, by plan; nil for a plan whose node decides.
    private let values: [Result<NodeStatus, DriverError>?]

    /// Lists a device; nil if it has no supported sensor.
    ///
    /// Throws only if its folder cannot be listed; anything else that is missing is left out.
    init?(_ path: FilePath, in world: some World, _ known: inout SensorPlans) throws(DriverError) {
        known.take(try world.entries(of: path))
        guard !known.plans.isEmpty else { return nil }
        self.path = path
        kernelName = Self.name(of: path)
        let attributes = known.attributes
        (plans, self.attributes) = (known.plans, attributes)
        func text(_ attribute: String, _ file: FilePath) -> String? {
            attributes.contains(attribute) ? world.line(of: path.joined(with: file)) : nil
        }
        name = text("name", Self.nameFile) ?? kernelName
        kernel = (try? world.kernelProperties(of: path)) ?? Properties(parsing: [])
        // A label set by the user through the rule takes precedence over the firmware's.
        udev = world.udevProperties(of: path, subsystem: "iio", kernel: kernel)
        label = udev["RIGREADY_LABEL"].flatMap { PeerText.line($0.utf8) } ?? text("label", Self.labelFile)
        location = text("location", Self.locationFile)
        key = PhysicalPlace.key(of: path.removingLastComponent(), in: world)
        if let name = kernel["DEVNAME"], !name.contains("/"), name.hasPrefix("iio:") {
            let node = Self.nodes.appending(name)
            let status = Result { () throws(DriverError) in try world.status(of: node) }
            self.node = (node, status)
            // Once for all sensors of the device.
            nodeEvidence = status.evidence(at: node.string, of: key)
        } else {
            (node, nodeEvidence) = (nil, nil)
        }
        // Without a node to capture from, the values decide; steps are always read from sysfs.
        let hasNode = node != nil
        values = plans.map { plan in
            hasNode && plan.kind != .stepCounter
                ? nil
                : Result { () throws(DriverError) in try world.status(of: path.appending(plan.first)) }
        }
    }

    private static let nodes = FilePath("/dev")
    // A path is costly to make from text.
    private static let (nameFile, labelFile, locationFile) = (
        FilePath("name"), FilePath("label"), FilePath("location")
    )

    /// The subsystem's devices in bus order, sensors or not.
    package static func paths(in world: some World) throws(DriverError) -> [FilePath] {
        try world.devices(in: "iio").filter { name(of: $0).hasPrefix("iio:device") }
    }

    /// The kernel's name of the chip whose device this is, such as `1-0068`: the folder above.
    static func chip(of path: FilePath) -> String { name(of: path, above: 1) }

    /// The last component, or one above it; from the bytes, since a component is costly to take from a path.
    private static func name(of path: FilePath, above count: Int = 0) -> String {
        unsafe path.withPlatformString { text in
            let slash = CChar(bitPattern: UInt8(ascii: "/"))
            var (start, end) = unsafe (strlen(text), strlen(text))
            for level in 0...count {
                if level > 0 { end = max(start - 1, 0) }
                start = end
                while start > 0, unsafe text[start - 1] != slash { start -= 1 }
            }
            return unsafe String(
                decoding: UnsafeRawBufferPointer(start: text + start, count: end - start), as: UTF8.self)
        }
    }

    /// The supported devices in bus order; one that cannot be listed, or was removed since, is left out.
    package static func all(in world: some World) throws(DriverError) -> [IIODevice] {
        var known = SensorPlans()
        return try paths(in: world).compactMap { try? IIODevice($0, in: world, &known) }
    }

    func sensor(_ plan: SensorPlan, in world: any World) -> Sensor {
        var sensor = Sensor(
            key: key, kind: plan.kind, name: name, driver: "iio", path: kernelName, label: label,
            detail: location.map { "at \($0)" })
        let decisive: FilePath
        let answer: Result<NodeStatus, DriverError>
        if plan.kind != .stepCounter, let node, let nodeEvidence {
            (decisive, answer) = node
            sensor.accessEvidence = nodeEvidence
        } else {
            guard let index = plans.firstIndex(of: plan), let value = values[index] else { return sensor }
            (decisive, answer) = (path.appending(plan.first), value)
            sensor.accessEvidence = answer.evidence(at: decisive.string, of: key)
        }
        sensor.access = answer.access
        let status = try? answer.get()
        sensor.isAccessBySeat = status?.right?.endsWithSeat ?? false
        if sensor.access == .denied { explain(decisive, status, &sensor, world) }
        if case .failure(let error) = answer, error.code == .untried { sensor.accessRemedies = [.inPlaceOfSubject] }
        sensor.evidence = [sensor.accessEvidence].compactMap(\.self)
        return sensor
    }

    /// Those of some sensors that are this device's, with their plans: of one kind they are in the order of the plans.
    package func listed(_ sensors: [Sensor]) -> [(sensor: Sensor, plan: SensorPlan)] {
        var own = sensors.filter { $0.driver == "iio" && $0.path == kernelName }
        return plans.compactMap { plan in
            own.firstIndex { $0.kind == plan.kind }.map { (sensor: own.remove(at: $0), plan: plan) }
        }
    }

    /// Whether it is a part of a HID sensor hub, whose driver waits seconds for an answer.
    package var isPartOfHub: Bool { path.components.contains { $0.string.hasPrefix("HID-SENSOR-") } }

    var isWithoutNode: Bool {
        if case .failure(let error)? = node?.status { error.errno == .noSuchFileOrDirectory } else { false }
    }

    func addMissingNode(to sensor: inout Sensor) {
        guard node != nil, sensor.access == .unknown, sensor.kind != .stepCounter else { return }
        sensor.accessRemedies = [HostMount.nodesRemedy]
        sensor.accessEvidence?.said += "; this container was not given the node"
        sensor.evidence = [sensor.accessEvidence].compactMap(\.self)
    }

    /// Notes that an AppArmor profile may forbid the node though its status permits it.
    func doubtAccess(to sensor: inout Sensor, under profile: String) {
        guard node != nil, sensor.kind != .stepCounter else { return }
        sensor.doubtAccess(under: profile)
        sensor.evidence = [sensor.accessEvidence].compactMap(\.self)
    }

    private func explain(_ path: FilePath, _ status: NodeStatus?, _ sensor: inout Sensor, _ world: any World) {
        guard path == node?.path else {
            sensor.accessRemedies =
                ShellWord(path.string).map { [.command("sudo chmod a+r \($0)")] } ?? [.option(.asRoot)]
            return
        }
        let word = ShellWord(path.string)
        let denial = Diagnosis(world: world, device: self.path, kernel: kernel, node: word).denial(of: status)
        sensor.accessRemedies = denial.remedies
        sensor.accessEvidence?.said += "; \(denial.words)"
    }
}

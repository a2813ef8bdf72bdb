internal import DriverKit
internal import Linux
internal import Readiness
internal import SystemPackage

/// An input device that reports motion, as listed without opening it.
struct InputDevice: Sendable {
    /// How it is known that its axes are those of a motion sensor.
    enum Classification: Sendable, Equatable {
        /// Its driver set `INPUT_PROP_ACCELEROMETER`, so resolutions are per g and per degree a second.
        case property
        /// udev set `ID_INPUT_ACCELEROMETER`: it has three axes and no key, as drivers of before that property do.
        case udev
    }

    let path: FilePath
    let node: String
    let name: String
    let key: String
    let classification: Classification
    let axes: Set<MotionAxis>
    private let status: Result<NodeStatus, DriverError>
    /// Why the operating system denies the node, and what would permit it; nil if it does not.
    private let denial: NodeRefusal.Explanation?
    private let accessRemedies: [Remedy]
    let remedies: EvdevRemedies

    /// The event interfaces of all input devices in bus order.
    static func paths(in world: any World) throws(DriverError) -> [FilePath] {
        try world.devices(in: "input").filter { $0.lastComponent?.string.hasPrefix("event") == true }
    }

    static func isMotionSensor(_ path: FilePath, in world: any World) -> Bool {
        guard let axes = try? axes(of: path, in: world) else { return false }
        return classification(of: path, axes, in: world) != nil
    }

    /// Whether a device that its driver does not call an accelerometer is one by udev's rule: three axes and no key.
    ///
    /// Source: systemd, `test_pointers` in `src/udev/udev-builtin-input_id.c`.
    static func isLikeAccelerometer(_ path: FilePath, in world: any World) -> Bool {
        let types = try? world.contents(of: path.removingLastComponent().appending("capabilities/ev"), limit: 4096)
        guard let axes = try? axes(of: path, in: world), axes.isSuperset(of: MotionAxis.axes(of: .accelerometer)),
            types.flatMap({ CapabilityBitmap($0) })?.contains(CapabilityBitmap.keys) == false
        else { return false }
        return !isShownByIIO(place(of: path), in: world)
    }

    /// Whether a device is an IIO device too: one chip counts once, and IIO has its scale and its buffer.
    private static func isShownByIIO(_ place: FilePath, in world: any World) -> Bool {
        (try? world.entries(of: place))?.contains { $0.hasPrefix("iio:device") } == true
    }

    /// Lists a device; nil if it reports no motion, is an IIO device too, or was removed meanwhile.
    ///
    /// Throws if it cannot be determined what it is.
    init?(_ path: FilePath, in world: any World) throws(DriverError) {
        guard let axes = try Self.axes(of: path, in: world),
            let classification = Self.classification(of: path, axes, in: world)
        else { return nil }
        let place = Self.place(of: path)
        if Self.isShownByIIO(place, in: world) { return nil }
        self.path = path
        self.axes = axes
        self.classification = classification
        let input = path.removingLastComponent()
        let name = world.line(of: input.appending("name")) ?? "input device"
        self.name = name
        let kernelName = path.lastComponent?.string ?? "event"
        node = "/dev/input/\(kernelName)"
        // A program's device has no place but its name.
        key =
            place.lastComponent?.string == "virtual"
            ? "virtual/" + String(name.map { $0 == " " || $0 == "/" ? "-" : $0 })
            : PhysicalPlace.key(of: place, in: world)
        remedies = EvdevRemedies(node: node, world: world)
        let node = FilePath(node)
        let status = Result { () throws(DriverError) in try world.status(of: node) }
        self.status = status
        denial =
            status.access == .denied
            ? NodeRefusal(of: node, in: world).explanation(of: try? status.get(), for: try? world.account()) : nil
        accessRemedies =
            switch (status.access, status) {
            case (.denied, _): denial?.remedies ?? remedies.access
            case (_, .failure(let error)) where error.code == .untried: [.inPlaceOfSubject]
            default: []
            }
    }

    /// The axes of the device that can carry motion; nil if it has none, or is gone.
    private static func axes(of path: FilePath, in world: any World) throws(DriverError) -> Set<MotionAxis>? {
        let file = path.removingLastComponent().appending("capabilities/abs")
        let bytes: [UInt8]
        do throws(DriverError) {
            bytes = try world.contents(of: file, limit: 4096)
        } catch {
            if error.availability == .unavailable(.absent) { return nil }
            throw error
        }
        guard let bitmap = CapabilityBitmap(bytes) else {
            throw DriverError(.malformed, subject: file.string, detail: "no bitmap of axes")
        }
        let axes = bitmap.motionAxes
        return axes.isEmpty ? nil : axes
    }

    private static func classification(
        of path: FilePath, _ axes: Set<MotionAxis>, in world: any World
    ) -> Classification? {
        let properties = try? world.contents(of: path.removingLastComponent().appending("properties"), limit: 4096)
        if properties.flatMap({ CapabilityBitmap($0) })?.contains(CapabilityBitmap.accelerometer) == true {
            return .property
        }
        guard axes.isSuperset(of: MotionAxis.axes(of: .accelerometer)),
            let kernel = try? world.kernelProperties(of: path),
            world.udevProperties(of: path, subsystem: "input", kernel: kernel)["ID_INPUT_ACCELEROMETER"] == "1"
        else { return nil }
        return .udev
    }

    /// The device that the input device belongs to: above `input/inputN/eventN`.
    private static func place(of path: FilePath) -> FilePath {
        path.removingLastComponent().removingLastComponent().removingLastComponent()
    }

    /// The mount matrix of its accelerometer in udev's database, as read; nil if there is none.
    ///
    /// Source: systemd, `rules.d/60-sensor.rules`, which sets it for the event interface and for the device above;
    /// iio-sensor-proxy, `drv-input-accel.c`.
    func mountMatrix(in world: any World) -> [UInt8]? {
        for device in [path, path.removingLastComponent()] {
            guard let kernel = try? world.kernelProperties(of: device) else { continue }
            let udev = world.udevProperties(of: device, subsystem: "input", kernel: kernel)
            if let matrix = udev["ACCEL_MOUNT_MATRIX"] { return Array(matrix.utf8) }
        }
        return nil
    }

    /// The kinds of sensor that it is: it turns only if its driver says that its axes are those of motion.
    var kinds: [SensorKind] {
        EvdevDriver.kinds.filter { kind in
            (kind == .accelerometer || classification == .property)
                && MotionAxis.axes(of: kind).contains(where: axes.contains)
        }
    }

    func axes(of kind: SensorKind) -> [MotionAxis] { MotionAxis.axes(of: kind).filter(axes.contains) }

    func sensor(_ kind: SensorKind) -> Sensor {
        var sensor = Sensor(key: key, kind: kind, name: name, driver: "evdev", path: node, access: status.access)
        var evidence = status.evidence(at: node, of: key)
        if case .success(let status) = status {
            sensor.isAccessBySeat = status.right?.endsWithSeat ?? false
            if !status.readable { evidence.said += "; \(denial?.words ?? "this user may not read it")" }
        }
        sensor.evidence = [evidence]
        sensor.accessEvidence = evidence
        sensor.accessRemedies = accessRemedies
        return sensor
    }
}

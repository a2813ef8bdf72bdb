internal import DriverKit
internal import Readiness
internal import SystemPackage

/// What an input device has reported since it was opened.
///
/// The kernel keeps the last value of each axis, which says nothing of now: it is 0 for a device that has never
/// reported, and old for one that has stopped. So only a report decides that a sensor delivers.
struct MotionReading: Sendable {
    private let device: InputDevice
    private let since: Instant
    private var channel: (any Channel)?
    private var states: [MotionAxis: AxisState] = [:]
    /// The axes that reports since the opening concerned.
    private var reported: Set<MotionAxis> = []
    private var watched: Set<SensorKind> = []
    var failure: DriverError?
    /// The mount matrix of the accelerometer, as read; nil if there is none.
    var mountMatrix: [UInt8]?

    /// The longest read: as many events as the kernel keeps for most devices.
    private static let limit = 64 * InputEvent.size

    init(_ device: InputDevice, since: Instant) {
        self.device = device
        self.since = since
    }

    func isOpen(_ kind: SensorKind) -> Bool { !watched.contains(kind) }

    /// Asks the state of each axis of the device on a channel, on which reports are then awaited.
    mutating func ask(_ channel: any Channel, until deadline: Instant) {
        self.channel = channel
        do throws(DriverError) {
            for axis in MotionAxis.allCases where device.axes.contains(axis) {
                try channel.send([UInt8(axis.rawValue)], until: deadline)
                let answer = try channel.receive(limit: Self.limit, until: deadline)
                guard let state = AxisState(answer) else {
                    throw DriverError(
                        .malformed, subject: device.node, detail: "\(answer.count) bytes for the state of \(axis.name)")
                }
                states[axis] = state
            }
        } catch {
            failure = error
        }
    }

    /// Reads until a whole report concerned an axis of the kind, or the time is up.
    mutating func watch(_ kind: SensorKind, in world: any World, until deadline: Instant) {
        watched.insert(kind)
        let axes = MotionAxis.axes(of: kind)
        var pending: Set<MotionAxis> = []
        while let channel, failure == nil, reported.isDisjoint(with: axes), world.now() < deadline {
            var isLost = false
            do throws(DriverError) {
                for event in InputEvent.events(parsing: try channel.receive(limit: Self.limit, until: deadline)) {
                    if let axis = event.axis, device.axes.contains(axis) {
                        states[axis]?.value = event.value
                        pending.insert(axis)
                    } else if event.isTimestamp {
                        pending.formUnion(device.axes)
                    } else if event.reportsLoss {
                        isLost = true
                    } else if event.endsReport {
                        reported.formUnion(pending)
                        pending = []
                    }
                }
            } catch {
                if error.code == .timedOut { break }
                failure = error
            }
            // Of what was lost, the kernel has the last values.
            if isLost { ask(channel, until: deadline) }
        }
    }

    // MARK: - Result

    /// The sensor of a kind as it was found; `isListed` says whether the kernel still lists its device, nil if unknown.
    func finding(_ listed: Sensor, _ kind: SensorKind, at now: Instant, isListed: () -> Bool?) -> Finding {
        var sensor = listed
        let remedies = device.remedies
        func end(_ cause: Cause, _ detail: String, _ fixes: [Remedy], _ evidence: [Evidence]) {
            sensor.fail(cause, detail, fixes)
            sensor.evidence += evidence
        }
        if let failure {
            let evidence = failure.evidence(of: sensor.key)
            if failure.isDenied {
                sensor = sensor.refused(because: "\(device.node): \(failure.reason)", remedies, evidence)
                sensor.evidence.append(evidence)
                return Finding(sensor)
            }
            let isListed = failure.mayBeGone ? isListed() : nil
            if failure.errno == .noSuchFileOrDirectory, isListed == true {
                let node = device.node
                let advice = "in a container: pass the node \(node) in; else check that devtmpfs is mounted on /dev"
                end(.indeterminate, "its node \(node) is not there", [.advice(advice)], [evidence])
            } else if case .unavailable(.absent) = failure.availability(isListed: isListed) {
                end(
                    .absent, "gone since it was listed: \(failure.reason)", [.advice("plug it in again")], [evidence])
            } else if case .unavailable(let cause) = failure.availability(isListed: isListed) {
                end(cause, "\(device.node): \(failure.reason)", remedies.remedies(for: failure), [evidence])
            }
            return Finding(sensor)
        }
        // What a status could not say, opening has shown.
        if sensor.access == .unknown {
            let opened = Evidence(sensor: sensor.key, path: device.node, said: "opened for reading")
            (sensor.access, sensor.accessEvidence, sensor.accessRemedies) = (.readable, opened, [])
            sensor.evidence.append(opened)
        }
        let axes = device.axes(of: kind)
        let values = axes.map { "\($0.name) \(states[$0]?.value ?? 0)" }.joined(separator: ", ")
        func evidence(_ said: String) -> [Evidence] { [Evidence(sensor: sensor.key, path: device.node, said: said)] }
        guard !reported.isDisjoint(with: axes) else {
            let waited = "no report in \((max(0, since.seconds(to: now)) * 10).rounded() / 10) s"
            if reported.isEmpty, states.values.allSatisfy({ $0.value == 0 }) {
                let words = "\(waited), and the kernel has no value of it yet"
                end(.silent, words, remedies.silent, evidence(values))
            } else {
                // It has reported at some time, or its device reports other things.
                let words = "\(waited): it is at rest (its driver reports only changes), or it has stopped"
                end(.indeterminate, words, remedies.atRest, evidence("the last values: \(values)"))
            }
            return Finding(sensor)
        }
        if kind == .accelerometer, axes.count >= 3, axes.allSatisfy({ states[$0]?.value == 0 }) {
            let words = "exactly 0 on all \(axes.count) axes: no accelerometer measures that"
            end(.silent, words, remedies.silent, evidence(values))
            return Finding(sensor)
        }
        let remark = whyRaw(kind, axes)
        let chip = reading(kind, isRaw: remark != nil)
        var notices: [Notice] = []
        switch plausibility(of: chip, kind, axes).verdict() {
        case .plausible: break
        case .impossible(_, _, let words):
            end(.faulty, words, remedies.faulty, evidence(values))
            return Finding(sensor)
        case .doubtful(_, _, let words):
            notices.append(Notice(.implausibleValue, sensor: sensor.key, detail: "\(sensor.name): \(words)"))
        }
        sensor.detail = remark
        guard kind == .accelerometer, let bytes = mountMatrix else {
            sensor.reading = .axes(chip)
            return Finding(sensor, notices: notices)
        }
        let matrix = MountMatrix(bytes)
        sensor.reading = .axes(matrix?.applied(to: chip) ?? chip)
        if let matrix {
            notices += [matrix.notice(of: sensor)].compactMap(\.self)
        } else {
            sensor.detail = [remark, MountMatrix.invalid].compactMap(\.self).joined(separator: "; ")
            sensor.evidence.append(
                Evidence(sensor: sensor.key, path: "udev's ACCEL_MOUNT_MATRIX", said: "read \(quoted(bytes))"))
        }
        return Finding(sensor, notices: notices)
    }

    private func plausibility(of reading: AxesReading, _ kind: SensorKind, _ axes: [MotionAxis]) -> MotionPlausibility {
        let counts = axes.map { axis in
            MotionPlausibility.AxisCount(Double(states[axis]?.value ?? 0), limits: states[axis]?.limits)
        }
        let values = [reading.x, reading.y, reading.z].compactMap(\.self)
        return MotionPlausibility(
            kind, names: axes.map(\.letter), counts: counts,
            values: reading.unit == .raw || values.count != counts.count ? nil : values)
    }

    /// Why the values are not in SI units; nil if they are, since its driver says how many of its units are one g, or
    /// one degree a second.
    ///
    /// A device that only udev takes for an accelerometer has no resolution with a meaning: for other input devices it
    /// is in units per millimetre. Source: the kernel's `include/uapi/linux/input.h`.
    private func whyRaw(_ kind: SensorKind, _ axes: [MotionAxis]) -> String? {
        guard device.classification == .property else {
            return "its driver declares neither an accelerometer nor a unit, so the value is raw"
        }
        let words = kind == .accelerometer ? "units per g" : "units per degree a second"
        return switch axes.map({ states[$0]?.resolution ?? 0 }).first(where: { $0 <= 0 }) {
        case nil: nil
        case 0: "its driver gives no resolution (\(words)), so the value is raw"
        case let bad?: "invalid resolution (\(bad) \(words)), so the value is raw"
        }
    }

    /// An axis that the device does not have is nil.
    private func reading(_ kind: SensorKind, isRaw: Bool) -> AxesReading {
        let values = MotionAxis.axes(of: kind).map { axis in
            states[axis].map { state in
                let factor = kind == .accelerometer ? standardGravity : Double.pi / 180
                return isRaw ? Double(state.value) : Double(state.value) * (factor / Double(state.resolution))
            }
        }
        return AxesReading(x: values[0], y: values[1], z: values[2], unit: isRaw ? .raw : AxesReading.Unit(of: kind))
    }
}

extension Sensor {
    /// The sensor whose values the operating system does not let this user read.
    func refused(because detail: String, _ remedies: EvdevRemedies, _ evidence: Evidence? = nil) -> Sensor {
        var sensor = self
        sensor.availability = .unavailable(.indeterminate)
        sensor.detail = detail
        sensor.deny(accessRemedies.isEmpty ? remedies.access : accessRemedies, because: evidence)
        return sensor
    }
}

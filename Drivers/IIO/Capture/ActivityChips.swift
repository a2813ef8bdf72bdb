package import DriverKit
internal import Readiness
internal import SystemPackage

/// A step counter: `in_steps_input` counts since boot while `in_steps_en` is 1 (kernel ABI `sysfs-bus-iio`).
package struct StepCounter: Sendable {
    private let device: IIODevice
    private let plan: SensorPlan
    private let world: any World

    /// The first step counter in bus order, or the one that a pin means; nil if none is listed.
    package init?(in world: any World, pinned pin: String? = nil) throws(DriverError) {
        guard let (device, plan) = try IIODevice.all(with: .stepCounter, pinned: pin, in: world).first else {
            return nil
        }
        self.device = device
        self.plan = plan
        self.world = world
    }

    /// The current count; may block as long as its bus does; throws `unsupported` if the counter is switched off.
    package func count() throws(DriverError) -> UInt64 {
        let sample = Sample(plan, from: LocalAttributes(device, in: world))
        if case .steps(let count)? = sample.reading { return count }
        if let refusal = sample.refusal { throw refusal }
        let isOff = sample.availability == .unavailable(.poweredOff)
        throw DriverError(
            isOff ? .unsupported : .malformed, subject: device.path.string,
            detail: (isOff ? "\(device.name) counts no steps: " : "") + sample.remarks.joined(separator: "; "))
    }
}

extension IIODevice {
    /// The devices with a sensor of a kind, in bus order, or the one that a pin means; reads no values.
    static func all(
        with kind: SensorKind, pinned pin: String?, in world: any World
    ) throws(DriverError) -> [(device: IIODevice, plan: SensorPlan)] {
        let listed = try all(in: world).compactMap { device in
            device.plans.first { $0.kind == kind }.map { (device: device, plan: $0) }
        }
        guard let pin else { return listed }
        let meant = listed.pinned(as: pin) { (device, _) in
            (key: device.key, label: device.label, name: device.name, path: device.kernelName)
        }
        return meant.count == 1 ? meant : []
    }
}

/// A chip that reports its bearer's activity: `in_activity_…_input`, a percentage (kernel ABI `sysfs-bus-iio`).
package struct ActivityChannels: Sendable {
    package enum Activity: String, CaseIterable, Sendable {
        case still, walking, jogging, running

        var attribute: String { "in_activity_\(rawValue)_input" }
    }

    private let folder: FilePath
    private let activities: [Activity]
    private let world: any World

    /// The first chip in bus order that has such channels; nil if none is listed.
    package init?(in world: any World) throws(DriverError) {
        for path in try IIODevice.paths(in: world) {
            guard let names = try? world.entries(of: path) else { continue }
            let found = Activity.allCases.filter { names.contains($0.attribute) }
            guard !found.isEmpty else { continue }
            folder = path
            activities = found
            self.world = world
            return
        }
        return nil
    }

    /// The chip's confidence in each activity that it knows, 0 to 100; may block as long as its bus does.
    package func confidences() throws(DriverError) -> [Activity: Double] {
        var confidences: [Activity: Double] = [:]
        for activity in activities {
            let path = folder.appending(activity.attribute)
            let bytes = try world.contents(of: path, limit: 4096)
            guard let value = AttributeValue(bytes), 0...100 ~= value.number else {
                throw DriverError(.malformed, subject: path.string, detail: "not a confidence: \(quoted(bytes))")
            }
            confidences[activity] = value.number
        }
        return confidences
    }
}

/// A read that may block, on a thread that is abandoned at a deadline.
package enum BoundedRead {
    /// Starts the read; `then` is called once, on another thread, with the result.
    package static func start<Answer: Sendable>(
        of subject: String, within seconds: Double, _ read: @escaping @Sendable () throws(DriverError) -> Answer,
        then: @escaping @Sendable (Result<Answer, DriverError>) -> Void
    ) {
        let isStarted = Worker.start {
            do throws(DriverError) {
                let deadline = Instant.now.advanced(bySeconds: seconds)
                let answer = try Worker.answer(until: deadline) { Result(catching: read) }
                then(answer ?? .failure(DriverError(.timedOut, subject: subject)))
            } catch {
                then(.failure(error))
            }
        }
        if !isStarted { then(.failure(DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread"))) }
    }
}

internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// One conversation with the local subsystem.
final class IIOSession: Session {
    /// What a lead stands for.
    private struct Target {
        var device: IIODevice
        var plan: SensorPlan
    }

    private let world: any World
    private let targets = Mutex<[Target]>([])

    init(_ world: any World) { self.world = world }

    /// Lists devices, their attributes' names and the chips without driver; reads no value.
    func survey(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Survey {
        var survey = Survey()
        let paths = try world.devices(in: "iio").sorted { inBusOrder($0.string, $1.string) }
        for path in paths where path.lastComponent?.string.hasPrefix("iio:device") == true {
            list(path, into: &survey)
        }
        UnboundChips(world: world).survey(into: &survey)
        survey.notices += distinguish(&survey.leads)
        return survey
    }

    private func list(_ path: FilePath, into survey: inout Survey) {
        let device: IIODevice
        do throws(DriverError) {
            guard let found = try IIODevice(path, in: world) else { return }
            device = found
        } catch {
            // Gone since it was listed: no device, and no fault.
            if error.availability == .unavailable(.absent) { return }
            let detail = "\(path.lastComponent?.string ?? "a device") cannot be listed: \(error.reason)"
            survey.obstacles += IIODriver.kinds.map { kind in
                Obstacle(kind: kind, cause: .indeterminate, detail: detail, evidence: [error.evidence()])
            }
            return
        }
        for plan in device.plans {
            let token = targets.withLock { targets in
                targets.append(Target(device: device, plan: plan))
                return targets.count - 1
            }
            survey.leads.append(Lead(device.sensor(plan), token: token))
        }
    }

    /// Reads each attribute that decides once, at depth `sample`; above that, there is nothing more to ask.
    func look(at lead: Lead, _ depth: Depth, until deadline: Instant) -> Finding {
        let target = targets.withLock { $0.indices.contains(lead.token) ? $0[lead.token] : nil }
        guard depth == .sample, let target else { return Finding(lead.sensor) }
        let sample = Sample(target.plan, from: LocalAttributes(target.device, in: world))
        return Finding(sample, of: lead.sensor, path: target.device.path)
    }

    /// Does nothing: a read of sysfs cannot be woken, its thread is abandoned.
    func cancel() {}
}

package import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// A rig's step counter, as a live count.
///
/// Source: kernel ABI `sysfs-bus-iio`: `in_steps_input` counts since the last reboot, while `in_steps_en` is 1.
package struct StepCounter: Sendable {
    /// The chip's name.
    package var name: String { device.name }
    private let device: IIODevice
    private let plan: SensorPlan
    private let world: any World

    /// The first step counter in bus order, or the one of that key or label; nil if none is listed.
    package init?(in world: any World, pinned pin: String? = nil) throws(DriverError) {
        for device in try IIODevice.all(in: world) {
            guard let plan = device.plans.first(where: { $0.kind == .stepCounter }),
                pin == nil || pin == device.key || pin == device.label
            else { continue }
            self.device = device
            self.plan = plan
            self.world = world
            return
        }
        return nil
    }

    /// The current count; may block as long as the chip's bus does.
    ///
    /// Throws `unsupported` if the counter is switched off, which is never changed here.
    package func count() throws(DriverError) -> UInt64 {
        let sample = Sample(plan, from: LocalAttributes(device, in: world))
        if case .steps(let count)? = sample.reading { return count }
        if let refusal = sample.refusal { throw refusal }
        let isOff = sample.availability == .unavailable(.poweredOff)
        throw DriverError(
            isOff ? .unsupported : .malformed, subject: device.path.string,
            detail: isOff
                ? "\(name) counts no steps: \(sample.remarks.joined(separator: "; "))"
                : sample.remarks.joined(separator: "; "))
    }
}

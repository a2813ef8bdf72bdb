internal import DriverKit
internal import Readiness
internal import SystemPackage

/// The messages of the kernel's Bluetooth drivers, such as of a firmware file that is missing.
let kernelLog: [Remedy] = [.command("sudo dmesg | grep -i bluetooth")]

let asRoot: [Remedy] = [.option(.asRoot)]

let deeper: [Remedy] = [.option(.depth(.state))]

extension DriverError {
    /// What would remove this error; never empty.
    var remedies: [Remedy] {
        if code == .notRecorded { return [.option(.recordAgain)] }
        if code == .cancelled { return [.option(.again)] }
        if isDenied { return asRoot }
        return availability == .unavailable(.absent) ? [.advice("plug it in again")] : kernelLog
    }

    /// What would make a folder of sysfs readable; never empty.
    func sysfsRemedies(in world: any World) -> [Remedy] {
        errno == .noSuchFileOrDirectory ? HostMount.sysfsRemedies(in: world) : remedies
    }
}

extension Cause {
    var remedies: [Remedy] {
        switch self {
        case .softBlocked: [.command("sudo rfkill unblock bluetooth")]
        case .hardBlocked: [.advice("turn on the hardware switch")]
        default: []
        }
    }
}

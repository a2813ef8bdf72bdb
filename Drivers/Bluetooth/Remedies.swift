internal import DriverKit
internal import Readiness
internal import SystemPackage

let kernelLog: [Remedy] = [.command("sudo dmesg | grep -i bluetooth")]

let asRoot: [Remedy] = [.option(.asRoot)]

/// Requests addresses and power.
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

extension [RfkillSwitch] {
    /// Whether any blocks in software, and by hardware; nil if there is none.
    var blocks: (soft: Bool?, hard: Bool?) {
        isEmpty ? (nil, nil) : (contains(where: \.soft), contains(where: \.hard))
    }

    /// Their state in one clause.
    var clause: String {
        let names = blocked.compactMap(\.name)
        let by = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
        switch (contains(where: \.hard), contains(where: \.soft)) {
        case (true, true): return "blocked by a hardware switch, and by rfkill in software\(by)"
        case (true, false): return "blocked by a hardware switch\(by)"
        default: return "blocked by rfkill in software\(by); systemd-rfkill restores a block at boot"
        }
    }
}

extension Cause {
    /// What lifts a block.
    var remedies: [Remedy] {
        switch self {
        case .softBlocked: [.command("sudo rfkill unblock bluetooth")]
        case .hardBlocked: [.advice("turn on the hardware switch")]
        default: []
        }
    }
}

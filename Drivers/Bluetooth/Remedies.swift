internal import DriverKit
internal import Readiness
internal import SystemPackage

/// What shows the kernel's own words on Bluetooth.
let kernelLog = "sudo dmesg | grep -i bluetooth"

/// What goes around the operating system's refusal.
let asRoot = "sudo rigready"

/// What asks for addresses and power.
let deeper = "rigready --depth state"

extension DriverError {
    /// What would mend what this error kept from being told; never empty.
    var remedy: String {
        if code == .notRecorded { return "record the rig again: rigready record FILE" }
        if code == .cancelled { return "run rigready again" }
        if isDenied { return asRoot }
        return availability == .unavailable(.absent) ? "plug it in again" : kernelLog
    }

    /// What would make a folder of sysfs be listed; never empty.
    var listingRemedy: String {
        errno == .noSuchFileOrDirectory ? "sudo mount -t sysfs sysfs /sys" : remedy
    }
}

extension [RfkillSwitch] {
    /// Whether any blocks in software, and by hardware; nil where there is none.
    var blocks: (soft: Bool?, hard: Bool?) {
        isEmpty ? (nil, nil) : (contains(where: \.soft), contains(where: \.hard))
    }

    /// What they say, in one clause.
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
    var remedy: String? {
        switch self {
        case .softBlocked: "sudo rfkill unblock bluetooth"
        case .hardBlocked: "turn on the hardware switch"
        default: nil
        }
    }
}

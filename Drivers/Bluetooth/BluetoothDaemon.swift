package import DriverKit
internal import SystemPackage

/// What systemd shows of bluetoothd: a running unit is a control group.
package enum BluetoothDaemon {
    /// Whether it runs; nil where systemd shows no unit of the system's.
    package static func isRunning(in world: any World) -> Bool? {
        guard let units = try? world.entries(of: "/sys/fs/cgroup/system.slice") else { return nil }
        return units.contains { $0.hasPrefix("bluetooth") || $0.includes("bluez") }
    }
}

package import DriverKit
internal import SystemPackage

/// The state of bluetoothd as systemd shows it: a running unit has a control group.
package enum BluetoothDaemon {
    /// Whether it runs; nil if systemd shows no system units.
    package static func isRunning(in world: any World) -> Bool? {
        guard let units = try? world.entries(of: "/sys/fs/cgroup/system.slice") else { return nil }
        return units.contains { $0.hasPrefix("bluetooth") || $0.includes("bluez") }
    }
}

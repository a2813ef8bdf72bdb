internal import DriverKit
internal import Readiness
internal import SystemPackage

// Bluetooth's sockets exist only in the host's first network namespace, and a unit can be barred from them.
extension ContainerEnvironment {
    /// Why EAFNOSUPPORT does not mean that there is no Bluetooth.
    ///
    /// `kernelHasBluetooth` is whether sysfs shows any of it.
    func explanation(kernelHasBluetooth: Bool) -> (detail: String, remedies: [Remedy]) {
        let isContainer = container != nil
        if isForeignNamespace == true {
            let place = isContainer ? "this container's network namespace" : "this network namespace"
            return (
                "\(place) has no Bluetooth sockets; the kernel offers them only in the host's first one",
                [
                    isContainer
                        ? .advice("run it on the host, or the container with the host's network") : .option(.onHost)
                ]
            )
        }
        if isFiltered == true {
            // Any filter, so that no command can be right.
            let place = isContainer ? "in the container's seccomp profile" : "in RestrictAddressFamilies= of the unit"
            return (
                "a seccomp filter is in force, which may forbid Bluetooth sockets",
                [.advice("allow AF_BLUETOOTH \(place)")]
            )
        }
        if kernelHasBluetooth {
            let detail = "the kernel has Bluetooth, but not for this process: a namespace or a restricted unit"
            return (detail, Self.onHost)
        }
        if isContainer { return ("no Bluetooth sockets in this container", Self.onHost) }
        return ("no Bluetooth sockets here; whether the host has them is unknown", Self.onHost)
    }

    var accessRemedies: [Remedy] {
        isConfined ? explanation(kernelHasBluetooth: true).remedies : asRoot
    }

    /// Whether a refusal of the sockets can be the container's or the unit's, and not this user's.
    var isConfined: Bool { container != nil || isFiltered == true }

    /// The remedy for everything that a container or namespace hides.
    static let onHost: [Remedy] = [.advice("run it on the host")]
}

extension Remedy {
    /// The remedy for a container: a command that needs root becomes advice for the host, unless it installs a package.
    var fromContainer: Remedy {
        guard case .command(let command, _) = self, command.needsRoot, !command.line.hasPrefix("sudo apt-get ") else {
            return self
        }
        return .advice("on the host: \(command.line)")
    }
}

extension World {
    /// Whether systemd shows that bluetoothd runs, by the control group of its unit; nil if it shows no system units.
    func runsBluetoothDaemon() -> Bool? {
        let units = try? entries(of: "/sys/fs/cgroup/system.slice")
        return units?.contains { $0.hasPrefix("bluetooth") || $0.includes("bluez") }
    }
}

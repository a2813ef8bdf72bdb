internal import DriverKit
internal import Readiness
internal import SystemPackage

/// The environment of this process that affects Bluetooth: its sockets exist only in the host's first network
/// namespace, and a unit can be barred from them.
struct ContainerEnvironment {
    /// What shows that this is a container.
    let container: Evidence?
    /// Whether this is not the host's first network namespace; nil if unknown.
    let isForeignNamespace: Bool?
    /// Whether a seccomp filter is in force, which is how systemd's `RestrictAddressFamilies=` works; nil if unknown.
    let isFiltered: Bool?

    /// Reads the signs from a few small files.
    init(from world: any World) {
        container = Self.container(in: world)
        isForeignNamespace = Self.isForeign(in: world)
        isFiltered = Self.isFiltered(in: world)
    }

    /// Whether this is certainly no container, other namespace or filtered unit: what the kernel does not show here
    /// does not exist.
    var isPlainHost: Bool { container == nil && isForeignNamespace == false && isFiltered == false }

    var notices: [Notice] {
        container.map { [Notice(.containerized, detail: "this is a container: \($0.said)")] } ?? []
    }

    /// Why EAFNOSUPPORT does not mean that there is no Bluetooth.
    ///
    /// `kernelHasBluetooth` is whether sysfs shows any of it.
    func explanation(kernelHasBluetooth: Bool) -> (detail: String, remedies: [Remedy]) {
        let isContainer = container != nil
        if isForeignNamespace == true {
            let place = isContainer ? "this container's network namespace" : "this network namespace"
            return (
                "\(place) has no Bluetooth sockets: they exist in the host's first one alone",
                [
                    isContainer
                        ? .advice("run it on the host, or the container with the host's network") : .option(.onHost)
                ]
            )
        }
        if isFiltered == true {
            let remedy =
                isContainer
                ? "allow AF_BLUETOOTH in the container's seccomp profile"
                : "add AF_BLUETOOTH to RestrictAddressFamilies= of the unit"
            return ("a seccomp filter is in force, which may forbid Bluetooth sockets", [.advice(remedy)])
        }
        if kernelHasBluetooth {
            let detail = "the kernel has Bluetooth, but not for this process: a namespace or a restricted unit"
            return (detail, Self.onHost)
        }
        if isContainer { return ("no Bluetooth sockets in this container", Self.onHost) }
        return ("no Bluetooth sockets here; whether the host has them is unknown", Self.onHost)
    }

    /// What would let this user ask after the operating system refused.
    var accessRemedies: [Remedy] {
        container == nil && isFiltered != true ? asRoot : explanation(kernelHasBluetooth: true).remedies
    }

    /// The remedy for everything that a container or namespace hides.
    static let onHost: [Remedy] = [.advice("run it on the host")]
}

extension ContainerEnvironment {
    private static func container(in world: any World) -> Evidence? {
        // Files that systemd-aware managers, Docker and Podman create.
        let marks: [FilePath] = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"]
        for mark in marks where (try? world.status(of: mark)) != nil {
            return Evidence(path: mark.string, said: "\(mark.string) exists")
        }
        let groups = (try? world.contents(of: "/proc/1/cgroup", limit: 64 << 10)) ?? []
        let text = String(decoding: groups, as: UTF8.self)
        guard let word = ["docker", "kubepods", "lxc", "libpod"].first(where: { text.includes($0) }) else { return nil }
        return Evidence(path: "/proc/1/cgroup", said: "process 1 is in a control group of \(word)")
    }

    // net/core/dev_weight is a setting of the machine, which the kernel shows only in the first network namespace;
    // net/core/somaxconn exists in each namespace.
    private static func isForeign(in world: any World) -> Bool? {
        let settings: FilePath = "/proc/sys/net/core"
        if (try? world.status(of: settings.appending("dev_weight"))) != nil { return false }
        return (try? world.status(of: settings.appending("somaxconn"))) != nil ? true : nil
    }

    private static func isFiltered(in world: any World) -> Bool? {
        let status = (try? world.contents(of: "/proc/self/status", limit: 64 << 10)) ?? []
        for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Seccomp:".utf8) {
            return PeerText.line(line.dropFirst(8)) != "0"
        }
        return nil
    }
}

/// The state of bluetoothd as systemd shows it: a running unit has a control group.
enum BluetoothDaemon {
    /// Whether it runs; nil if systemd shows no system units.
    static func isRunning(in world: any World) -> Bool? {
        guard let units = try? world.entries(of: "/sys/fs/cgroup/system.slice") else { return nil }
        return units.contains { $0.hasPrefix("bluetooth") || $0.includes("bluez") }
    }
}

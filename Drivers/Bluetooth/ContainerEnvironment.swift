package import DriverKit
package import Readiness
internal import SystemPackage

/// The environment of this process that affects Bluetooth: its sockets exist only in the host's first network
/// namespace, and a unit can be barred from them.
package struct ContainerEnvironment: Sendable, Equatable {
    /// What shows that this is a container.
    package var container: Evidence?
    /// Whether this is not the host's first network namespace; nil if unknown.
    package var isForeignNamespace: Bool?
    /// Whether a seccomp filter is in force, which is how systemd's `RestrictAddressFamilies=` works; nil if unknown.
    package var isFiltered: Bool?

    /// Makes an environment.
    package init(container: Evidence?, isForeignNamespace: Bool?, isFiltered: Bool?) {
        self.container = container
        self.isForeignNamespace = isForeignNamespace
        self.isFiltered = isFiltered
    }

    /// Whether this is certainly no container, other namespace or filtered unit: what the kernel does not show here
    /// does not exist.
    package var isPlainHost: Bool { container == nil && isForeignNamespace == false && isFiltered == false }

    /// The notice of a container.
    package var notices: [Notice] {
        container.map { [Notice(.containerized, detail: "this is a container: \($0.said)")] } ?? []
    }

    /// Why EAFNOSUPPORT does not mean that there is no Bluetooth.
    ///
    /// `kernelHasBluetooth` is whether sysfs shows any of it.
    package func explanation(kernelHasBluetooth: Bool) -> (detail: String, remedies: [Remedy]) {
        if isForeignNamespace == true {
            let place = container == nil ? "this network namespace" : "this container's network namespace"
            return (
                "\(place) has no Bluetooth sockets: they exist in the host's first one alone",
                container == nil
                    ? [.option(.onHost)] : [.advice("run it on the host, or the container with the host's network")]
            )
        }
        if isFiltered == true {
            return (
                "a seccomp filter is in force, which may forbid Bluetooth sockets",
                container == nil
                    ? [.advice("add AF_BLUETOOTH to RestrictAddressFamilies= of the unit")]
                    : [.advice("allow AF_BLUETOOTH in the container's seccomp profile")]
            )
        }
        if kernelHasBluetooth {
            return (
                "the kernel has Bluetooth, but not for this process: a namespace or a restricted unit",
                Self.onHost
            )
        }
        if container != nil { return ("no Bluetooth sockets in this container", Self.onHost) }
        return ("no Bluetooth sockets here; whether the host has them is unknown", Self.onHost)
    }

    /// What would let this user ask after the operating system refused.
    package var accessRemedies: [Remedy] {
        container == nil && isFiltered != true ? asRoot : explanation(kernelHasBluetooth: true).remedies
    }

    /// The remedy for everything that a container or namespace hides.
    package static let onHost: [Remedy] = [.advice("run it on the host")]
}

extension ContainerEnvironment {
    /// Reads the signs from a few small files.
    package static func read(from world: any World) -> ContainerEnvironment {
        ContainerEnvironment(
            container: container(in: world), isForeignNamespace: isForeign(in: world),
            isFiltered: isFiltered(in: world))
    }

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

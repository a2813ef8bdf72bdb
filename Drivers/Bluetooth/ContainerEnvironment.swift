package import DriverKit
package import Readiness
internal import SystemPackage

/// Where this process runs, as far as it bears on Bluetooth: its sockets exist in the host's first network namespace alone,
/// and a unit can be kept from them.
package struct ContainerEnvironment: Sendable, Equatable {
    /// What shows that this is a container.
    package var container: Evidence?
    /// Whether this is another network namespace than the host's first one; nil where that cannot be told.
    package var isForeignNamespace: Bool?
    /// Whether a seccomp filter is in force, which is how systemd's `RestrictAddressFamilies=` works; nil where that cannot
    /// be told.
    package var isFiltered: Bool?

    /// Makes surroundings.
    package init(container: Evidence?, isForeignNamespace: Bool?, isFiltered: Bool?) {
        self.container = container
        self.isForeignNamespace = isForeignNamespace
        self.isFiltered = isFiltered
    }

    /// Whether this is certainly no container, no other namespace and no filtered unit: what the kernel does not show here,
    /// it does not have.
    package var isPlainHost: Bool { container == nil && isForeignNamespace == false && isFiltered == false }

    /// The notice of a container.
    package var notices: [Notice] {
        container.map { [Notice(.containerized, detail: "this is a container: \($0.said)")] } ?? []
    }

    /// Why EAFNOSUPPORT does not mean that there is no Bluetooth.
    ///
    /// `kernelHasBluetooth` where sysfs shows any of it.
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
        return ("no Bluetooth sockets here, and whether the host has them cannot be told", Self.onHost)
    }

    /// What would let this user ask, where the operating system refused.
    package var accessRemedies: [Remedy] {
        container == nil && isFiltered != true ? asRoot : explanation(kernelHasBluetooth: true).remedies
    }

    /// The remedy of everything that a container or namespace hides.
    package static let onHost: [Remedy] = [.advice("run it on the host")]
}

extension ContainerEnvironment {
    /// Looks for the signs that a few small files give.
    package static func read(from world: any World) -> ContainerEnvironment {
        ContainerEnvironment(
            container: container(in: world), isForeignNamespace: isForeign(in: world),
            isFiltered: isFiltered(in: world))
    }

    private static func container(in world: any World) -> Evidence? {
        // Written by systemd's convention, Docker and Podman.
        let marks: [FilePath] = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"]
        for mark in marks where (try? world.status(of: mark)) != nil {
            return Evidence(path: mark.string, said: "\(mark.string) exists")
        }
        let groups = (try? world.contents(of: "/proc/1/cgroup", limit: 64 << 10)) ?? []
        let text = String(decoding: groups, as: UTF8.self)
        guard let word = ["docker", "kubepods", "lxc", "libpod"].first(where: { text.includes($0) }) else { return nil }
        return Evidence(path: "/proc/1/cgroup", said: "process 1 is in a control group of \(word)")
    }

    // net/core/dev_weight is a setting of the machine, which the kernel shows in the first network namespace alone;
    // net/core/somaxconn is each namespace's own.
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

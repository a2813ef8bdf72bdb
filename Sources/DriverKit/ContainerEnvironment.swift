package import Readiness
internal import SystemPackage

/// The environment of this process that hides devices and services of the host: a container, another network namespace,
/// a unit with a filter.
package struct ContainerEnvironment {
    package let container: Evidence?
    /// Whether this is not the host's first network namespace; nil if unknown.
    package let isForeignNamespace: Bool?
    /// Whether a seccomp filter is in force, which is how systemd's `RestrictAddressFamilies=` works; nil if unknown.
    package let isFiltered: Bool?
    private let subject: AccessSubject?

    package init(from world: any World) {
        subject = world.subject
        container = Self.container(in: world)
        isForeignNamespace = Self.isForeign(in: world)
        isFiltered = Self.isFiltered(in: world)
    }

    /// Whether this is certainly no container, other namespace or filtered unit: what the kernel does not show here
    /// does not exist.
    package var isPlainHost: Bool { container == nil && isForeignNamespace == false && isFiltered == false }

    /// What permits sockets of some families, such as `AF_INET AF_INET6`, where a filter forbids them.
    ///
    /// Source: systemd.exec(5), `RestrictAddressFamilies=`, whose lists add up. Without one, a list would forbid all others.
    package func remedy(allowing families: String) -> Remedy {
        if container != nil { return .advice("allow \(families) in the container's seccomp profile") }
        let setting = "RestrictAddressFamilies"
        guard case .unit(let name)? = subject, let unit = ShellWord(name),
            case .command(let command, let note)? = subject?.remedy(
                setting: ["\(setting)=\(families)"], named: "RestrictAddressFamilies")
        else { return .advice("add \(families) to \(setting)= of the unit") }
        var guarded: ShellCommand =
            "[ -n \"$(systemctl show --value -p RestrictAddressFamilies \(unit))\" ] && \(command)"
        guarded.undo = command.undo
        return .command(guarded, note: note)
    }

    package var notices: [Notice] {
        container.map { [Notice(.containerized, detail: "this is a container: \($0.said)")] } ?? []
    }
}

extension ContainerEnvironment {
    /// What shows that this is a container; nil if nothing does.
    package static func container(in world: any World) -> Evidence? {
        // Files that systemd-aware managers, Docker, Podman and Kubernetes create.
        let marks: [FilePath] = [
            "/run/systemd/container", "/.dockerenv", "/run/.containerenv", "/dev/termination-log",
        ]
        for mark in marks where world.exists(mark) {
            return Evidence(path: mark.string, said: "\(mark.string) exists")
        }
        let groups = (try? world.contents(of: "/proc/1/cgroup", limit: 64 << 10)) ?? []
        let text = String(decoding: groups, as: UTF8.self)
        if let word = ["docker", "kubepods", "lxc", "libpod"].first(where: { text.includes($0) }) {
            return Evidence(path: "/proc/1/cgroup", said: "process 1 is in a control group of \(word)")
        }
        return foreignProcesses(in: world)
    }

    /// What shows that this is not the machine's first PID namespace, in which process 2 is the kernel's `kthreadd`; nil
    /// if nothing does.
    ///
    /// containerd leaves no mark, and hides the control groups. Source: Linux, `rest_init` of `init/main.c`.
    private static func foreignProcesses(in world: any World) -> Evidence? {
        let file: FilePath = "/proc/2/comm"
        // Where process 1 is hidden (`hidepid`), the other one may be hidden too.
        guard (try? world.contents(of: "/proc/1/comm", limit: 4096)) != nil else { return nil }
        do throws(DriverError) {
            guard PeerText.line(try world.contents(of: file, limit: 4096)) != "kthreadd" else { return nil }
        } catch {
            guard error.errno == .noSuchFileOrDirectory else { return nil }
        }
        return Evidence(
            path: file.string, said: "process 2 is not kthreadd, so this is not the host's process namespace")
    }

    /// Whether this is a container without the host's udev database, so that what udev says of a device is unknown.
    package static func lacksUdev(in world: any World) -> Bool {
        world.absence(of: FilePath(HostMount.database)) != nil && container(in: world) != nil
    }

    /// Whether this is not the host's first network namespace; nil if unknown.
    ///
    /// `net/core/dev_weight` is a setting of the machine, which the kernel shows only in the first network namespace;
    /// `net/core/somaxconn` exists in each namespace.
    package static func isForeign(in world: any World) -> Bool? {
        let settings: FilePath = "/proc/sys/net/core"
        if world.exists(settings.appending("dev_weight")) { return false }
        return world.exists(settings.appending("somaxconn")) ? true : nil
    }

    private static func isFiltered(in world: any World) -> Bool? {
        let status = (try? world.contents(of: "/proc/self/status", limit: 64 << 10)) ?? []
        for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Seccomp:".utf8) {
            return PeerText.line(line.dropFirst(8)) != "0"
        }
        return nil
    }
}

extension DriverError {
    /// The error of a socket, as `confined` where a filter of system calls explains it.
    ///
    /// EAFNOSUPPORT is what systemd's `RestrictAddressFamilies=` returns, and what a kernel without the family returns.
    package func explained(in world: any World) -> DriverError {
        guard code == .refused, errno == .addressFamilyNotSupported,
            ContainerEnvironment(from: world).isFiltered == true
        else { return self }
        return DriverError(
            .confined, errno: errno, subject: subject,
            detail: "a filter of system calls forbids this socket (EAFNOSUPPORT)")
    }
}

// MARK: - What of the host is not mounted

/// Something of the host that a container has to be given.
package enum HostMount: String, Sendable {
    case sysfs = "/sys"
    /// udev's database.
    case udev = "/run/udev"
    case systemBus = "/run/dbus/system_bus_socket"

    /// Where udev's database is in its mount.
    package static let database = "/run/udev/data"

    /// What gives it to a container.
    package var remedy: Remedy { .advice("mount the host's \(rawValue): --volume \(rawValue):\(rawValue):ro") }

    /// What shows sysfs to a machine, or to a container, that does not have it.
    package static func sysfsRemedies(in world: any World) -> [Remedy] {
        [ContainerEnvironment.container(in: world) == nil ? .command("sudo mount -t sysfs sysfs /sys") : sysfs.remedy]
    }

    /// What gives a container the nodes of motion sensors: the same for all of them, since one change repairs them.
    package static let nodesRemedy = Remedy.advice(
        "give the container the sensors' nodes, such as --device /dev/iio:device0")
}

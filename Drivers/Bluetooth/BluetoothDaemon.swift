internal import DriverKit
internal import Readiness
internal import SystemPackage

/// What bluetoothd answered when it was asked for its controllers on the system bus.
struct BluetoothDaemon {
    enum Standing {
        case answered
        /// The bus, or a security module, does not let this user send to it.
        case refused
        case stopped
        /// This container has no system bus; the host's bluetoothd may run.
        case outOfReach
        /// No answer in time, or none that can be read.
        case unclear
        /// The recording was made without asking it.
        case unrecorded
    }

    let standing: Standing
    /// The controllers; nil without an answer.
    let controllers: [UInt16: ControllerAnswer]?
    /// Why there is no answer.
    let failure: DriverError?

    init(_ controllers: [UInt16: ControllerAnswer]) {
        self.controllers = controllers
        failure = nil
        standing = .answered
    }

    init(_ failure: DriverError, isContainer: Bool) {
        controllers = nil
        self.failure = failure
        let endpoint = Endpoint.bluez
        let hasNoBus =
            failure.code == .refused && (failure.errno == .noSuchFileOrDirectory || failure.errno == .connectionRefused)
        standing =
            if failure.code == .notRecorded {
                .unrecorded
            } else if failure.errno == .permissionDenied || failure.code == .confined {
                // EPERM is no refusal: sd-bus gives it when the handshake fails, as it does with a program that is no bus.
                .refused
            } else if failure == .unowned(endpoint.address, subject: endpoint.description) {
                .stopped
            } else if hasNoBus {
                isContainer ? .outOfReach : .stopped
            } else {
                .unclear
            }
    }

    /// Why there is no answer, in one clause.
    ///
    /// The bus's own text goes on with the numbers of this connection and process, which differ at each probe.
    var reason: String {
        let text = failure?.reason ?? ""
        return String(text.prefix { $0 != ";" })
    }

    /// The failure as evidence.
    var evidence: Evidence {
        Evidence(path: Endpoint.bluez.description, errno: failure?.errno?.name, said: reason)
    }
}

/// Whether a user may use Bluetooth.
///
/// bluetoothd, which programs use, decides it by the policy of the system bus. The kernel's management socket opens for
/// everyone and lets an unprivileged process only look: what changes something, such as a scan, needs CAP_NET_ADMIN.
/// Source: BlueZ `src/bluetooth.conf`; Linux `net/bluetooth/mgmt.c`, `mgmt_untrusted_commands`.
struct BluetoothRights {
    var access = Access.unknown
    var evidence: Evidence?
    var remedies: [Remedy] = []
}

extension Sensor {
    /// Notes a user's rights; a value that the kernel withholds stays denied.
    mutating func take(_ rights: BluetoothRights) {
        guard !isValueDenied || rights.access == .denied else { return }
        access = rights.access
        accessEvidence = rights.evidence
        accessRemedies = rights.remedies
    }
}

extension BluetoothRights {
    /// Evaluates the rights of the world's account; `socket` is what the kernel's own socket answered, nil if it did not.
    init(_ daemon: BluetoothDaemon, socket: Evidence?, in world: any World) {
        let bus = Endpoint.bluez.description
        if daemon.standing == .answered || daemon.standing == .refused, let user = world.otherUser {
            let verb = daemon.standing == .answered ? "answered" : "refused"
            self.evidence = Evidence(
                path: bus, said: "bluetoothd \(verb) this process, which does not show the rights of user \(user)")
            remedies = [.advice("run rigready as that user: sudo -u '#\(user)' rigready")]
            return
        }
        var evidence = daemon.evidence
        switch daemon.standing {
        case .answered:
            access = .readable
            evidence = Evidence(path: bus, said: "bluetoothd answered on the system bus")
        case .refused:
            access = .denied
            remedies =
                daemon.failure?.code == .confined
                ? daemon.failure?.busRemedies(of: .bluez, service: .bluetoothd, in: world) ?? []
                : BusRefusal(daemon, in: world).remedies
        case .stopped, .outOfReach:
            let isStopped = daemon.standing == .stopped
            let state = isStopped ? "bluetoothd is not running" : "bluetoothd cannot be queried from this container"
            evidence.said = "\(state): \(daemon.reason)"
            if let socket, world.administersNetwork, world.otherUser == nil {
                access = .readable
                evidence = socket
                evidence.said += "; \(state), but this process has CAP_NET_ADMIN and can use the socket"
            } else {
                remedies = daemon.failure?.busRemedies(of: .bluez, service: .bluetoothd, in: world) ?? []
            }
        case .unclear:
            evidence.said = "bluetoothd did not answer: \(daemon.reason)"
            remedies = daemon.failure?.busRemedies(of: .bluez, service: .bluetoothd, in: world) ?? []
        case .unrecorded:
            if let socket {
                access = .readable
                evidence = socket
                evidence.said += "; recorded without asking bluetoothd"
            } else {
                remedies = [.option(.recordAgain)]
            }
        }
        self.evidence = evidence
    }
}

extension World {
    /// Whether this process has CAP_NET_ADMIN in the first user namespace, where alone it counts for Bluetooth.
    ///
    /// Source: proc(5), `CapEff`; `linux/capability.h`, number 12; Linux `net/bluetooth/hci_sock.c`, `capable`.
    fileprivate var administersNetwork: Bool {
        guard let field = statusField("CapEff"), let set = UInt64(field, radix: 16), set >> 12 & 1 == 1 else {
            return false
        }
        let map: FilePath = "/proc/self/uid_map"
        // A kernel without user namespaces has no map.
        guard absence(of: map) == nil else { return true }
        let words = line(of: map)?.split(whereSeparator: \.isWhitespace).map(String.init)
        return words == ["0", "0", "4294967295"]
    }
}

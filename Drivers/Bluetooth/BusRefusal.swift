internal import DriverKit
internal import Readiness
internal import SystemPackage

/// Why the system bus does not let this user send to bluetoothd: its policy, or a security module.
struct BusRefusal {
    private enum SecurityModule { case appArmor, seLinux }

    let world: any World
    private let module: SecurityModule?

    init(_ daemon: BluetoothDaemon, in world: any World) {
        self.world = world
        let reason = daemon.reason.lowercased()
        // dbus-daemon names the module that refuses: `bus_apparmor_allows_send` and `bus_selinux_allows_send` of its
        // sources. A socket that cannot be opened has no such text.
        if reason.includes("apparmor") {
            module = .appArmor
        } else if reason.includes("selinux") {
            module = .seLinux
        } else {
            let isRefusedSocket = daemon.failure?.detail.isEmpty == true
            module = isRefusedSocket && Self.label(in: world)?.hasSuffix("(enforce)") == true ? .appArmor : nil
        }
    }

    /// What lets this user send to bluetoothd; never empty.
    var remedies: [Remedy] {
        let isContainer = ContainerEnvironment.container(in: world) != nil
        switch (module, isContainer) {
        case (.appArmor, true):
            return [
                .advice(
                    "run the container with --security-opt apparmor=unconfined, or with an AppArmor profile that allows "
                        + "D-Bus messages to org.bluez")
            ]
        case (.appArmor, false): return [profileRemedy]
        case (.seLinux, true):
            return [
                .advice(
                    "run the container with --security-opt label=disable, or with an SELinux type that may send D-Bus "
                        + "messages to bluetoothd")
            ]
        case (.seLinux, false):
            let domain = Self.label(in: world).map { "the domain of \($0)" } ?? "the domain of this process"
            return [
                .advice(
                    "allow \(domain) to send D-Bus messages to bluetoothd in the SELinux policy; sudo ausearch -m user_avc "
                        + "-ts recent shows the refusal")
            ]
        case (nil, true): return [.advice("let this user send to org.bluez, in the bus's policy on the host")]
        case (nil, false): return policyRemedies
        }
    }

    // MARK: - Security modules

    private var profileRemedy: Remedy {
        // The name, and the mode in parentheses.
        let profile = Self.label(in: world).map { $0.split(separator: " (", maxSplits: 1)[0] } ?? "unconfined"
        let parts = profile.split(separator: ".")
        if parts.first == "snap", parts.count > 1, let snap = ShellWord("\(parts[1]):bluez") {
            return .command("sudo snap connect \(snap)", note: "allows it in the snap's AppArmor profile")
        }
        let name = profile == "unconfined" ? "in force" : "\(profile)"
        return .advice("allow D-Bus messages to org.bluez in the AppArmor profile \(name)")
    }

    /// The security label of this process; nil if it has none.
    ///
    /// Source: proc(5), `/proc/pid/attr/current`; the kernel's Documentation/admin-guide/LSM for the folder `apparmor`.
    private static func label(in world: any World) -> String? {
        world.line(of: "/proc/self/attr/apparmor/current") ?? world.line(of: "/proc/self/attr/current")
    }

    // MARK: - The policy of the bus

    private static let policies: [FilePath] = [
        "/etc/dbus-1/system.d/bluetooth.conf", "/usr/share/dbus-1/system.d/bluetooth.conf",
    ]

    /// The remedy of the group that the policy names, if this user can join it, else the file to change.
    private var policyRemedies: [Remedy] {
        let readable = Self.policies.first { world.exists($0) }
        let file = readable ?? Self.policies[0]
        let policy = readable.flatMap { try? world.contents(of: $0, limit: 1 << 20) } ?? []
        let change = Remedy.advice("let this user send to org.bluez in \(file)")
        let known = groups
        for name in Self.groups(allowedBy: String(decoding: policy, as: UTF8.self)) {
            guard let number = known[name], let word = ShellWord(name) else { continue }
            let account = try? world.account()
            // A member is refused for another reason.
            if account?.groups.contains(number) == true { continue }
            if account?.loginGroups?.contains(number) == true {
                return [.advice("log out and in again"), .option(.inGroup(name))]
            }
            return [.command("sudo usermod -aG \(word) \"\(world.userName)\"", note: "then log in again")]
        }
        return [change]
    }

    /// The groups of `/etc/group`, from lines of NAME:PASSWORD:NUMBER:MEMBERS.
    private var groups: [String: UInt32] {
        let file = (try? world.contents(of: "/etc/group", limit: 1 << 20)) ?? []
        return file.split(separator: UInt8(ascii: "\n")).reduce(into: [:]) { groups, line in
            let fields = String(decoding: line, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count >= 3, let number = UInt32(fields[2]) else { return }
            groups[String(fields[0])] = number
        }
    }

    /// The groups whose members a policy file lets send to bluetoothd, in its order.
    ///
    /// Source: dbus-daemon(1), "policy". An attribute is in double or single quotes.
    static func groups(allowedBy policy: String) -> [String] {
        elements(withoutComments(policy)).reduce(into: (group: String?.none, found: [String]())) { state, element in
            if element.hasPrefix("policy") { state.group = attribute("group", of: element) }
            if element.hasPrefix("/policy") { state.group = nil }
            let isAllowed =
                element.hasPrefix("allow")
                && ["org.bluez", "*"].contains(attribute("send_destination", of: element) ?? "")
            if isAllowed, let group = state.group, !state.found.contains(group) { state.found.append(group) }
        }.found
    }

    private static func withoutComments(_ text: String) -> String {
        let parts = text.split(separator: "<!--", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts.first ?? "")) { result, part in
            if let end = part.firstRange(of: "-->") { result += part[end.upperBound...] }
        }
    }

    /// The text of each element's tag, without `<` and `>`.
    private static func elements(_ text: String) -> [Substring] {
        text.split(separator: "<").compactMap { part in part.firstIndex(of: ">").map { part[..<$0] } }
    }

    private static func attribute(_ name: String, of element: Substring) -> String? {
        let words = element.split(whereSeparator: \.isWhitespace)
        for quote: Character in ["\"", "'"] {
            for word in words where word.hasPrefix("\(name)=\(quote)") {
                let value = word.dropFirst(name.count + 2)
                if let end = value.firstIndex(of: quote), end > value.startIndex { return String(value[..<end]) }
            }
        }
        return nil
    }
}

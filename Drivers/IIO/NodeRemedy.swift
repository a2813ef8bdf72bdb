internal import DriverKit
internal import SystemPackage

/// What lets this user capture through a node, by what is already installed.
struct NodeRemedy {
    static let rule = "70-rigready-iio.rules"
    private static let folders: [FilePath] = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
        "/lib/udev/rules.d",
    ]

    let world: any World

    /// The remedy for a node that this user may not read; it needs nothing that a rig does not have.
    func text(for node: FilePath, _ status: NodeStatus?) -> String {
        if let status, status.group != 0, status.mode & 0o040 != 0 {
            // A rule has given it to a group, and only this user is not in it.
            return
                "sudo usermod -aG \(group(status.group) ?? String(status.group)) \"$(id -un)\"    # then log in again"
        }
        guard Self.folders.contains(where: { (try? world.status(of: $0.appending(Self.rule))) != nil }) else {
            let path = shellWord(node.string) ?? "/dev/iio:device*"
            return "sudo setfacl -m \"u:$(id -un):r\" \(path)"
                + "    # for now; for good install udev-rules/\(Self.rule) (udev-rules/README.md)"
        }
        // The rule's group must be there when udev reads the rule.
        let needsGroup = groups?.contains { $0.name == "iio" } == false
        return (needsGroup ? "sudo groupadd --system --force iio && " : "")
            + "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=iio --action=change"
    }

    private func group(_ number: UInt32) -> String? { groups?.first { $0.number == number }?.name }

    /// The groups of `/etc/group`, by lines of NAME:PASSWORD:NUMBER:MEMBERS; nil where it cannot be read.
    private var groups: [(name: String, number: UInt32)]? {
        guard let bytes = try? world.contents(of: "/etc/group", limit: 1 << 20) else { return nil }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count >= 3, let number = UInt32(String(decoding: fields[2], as: UTF8.self)),
                let name = shellWord(String(decoding: fields[0], as: UTF8.self))
            else { return nil }
            return (name, number)
        }
    }
}

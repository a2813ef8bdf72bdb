import LocalRig
import Foundation
import Support
import Testing

/// The container of `Examples/container`: no container runtime is to be had here, so its files are compared.
@Suite struct ContainerExampleTests {
    private static let folder = Tool.repository.appending(path: "Examples/container")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The paths of the host that the table of the manual names as needed, by row.
    private static func needs() throws -> [(requirement: String, paths: Set<String>)] {
        try text("README.md").split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let paths = cells[1].matches(of: #/`(/[^` ]+)`/#).map { String($0.1) }
            return (cells[0], Set(paths))
        }
    }

    /// The mounts of the DaemonSet: the path of the host by the path in the container.
    private static func mounts(_ pod: ConfigurationNode) throws -> [String: String] {
        var paths: [String: String] = [:]
        for volume in try #require(pod["volumes"]?.items) {
            paths[try #require(volume["name"]?.text)] = try #require(volume["hostPath"]?["path"]?.text)
        }
        let container = try #require(pod["containers"]?.items.first)
        var mounts: [String: String] = [:]
        for mount in try #require(container["volumeMounts"]?.items) {
            #expect(mount["readOnly"]?.text == "true")
            let name: String = try #require(mount["name"]?.text)
            let path = paths.removeValue(forKey: name)
            let place = try #require(mount["mountPath"]?.text)
            let host: String = try #require(path)
            mounts[place] = host
        }
        #expect(paths.isEmpty, "volumes that nothing mounts")
        return mounts
    }

    private static func pod() throws -> ConfigurationNode {
        let bytes = Array(try text("daemonset.yaml").utf8)
        let root = try #require(try ConfigurationNode(parsing: bytes, file: "daemonset.yaml"))
        return try #require(root["spec"]?["template"]?["spec"])
    }

    @Test func `the DaemonSet and the command mount what the table names, and nothing else`() throws {
        let mounts = try Self.mounts(try Self.pod())
        // A rig that has decisions of its own adds its folder.
        let named = try Self.needs().filter { !$0.requirement.hasPrefix("grants") }.reduce(into: Set<String>()) {
            $0.formUnion($1.paths)
        }
        #expect(Set(mounts.values) == named)
        let command = try Self.text("README.md").matches(of: #/--volume ([^:\s]+):([^:\s]+):ro/#)
        #expect(Dictionary(uniqueKeysWithValues: command.map { (String($0.2), String($0.1)) }) == mounts)
    }

    @Test func `the DaemonSet reads the host's sysfs where it mounts it, as the image's user`() throws {
        let pod = try Self.pod()
        let container = try #require(pod["containers"]?.items.first)
        let sysfs = try #require(container["env"]?.items.first { $0["name"]?.text == "RIGREADY_SYSFS" }?["value"]?.text)
        #expect(try Self.mounts(pod)[sysfs] == "/sys")
        let user = try #require(container["securityContext"]?["runAsUser"]?.text)
        #expect(try Self.text("Containerfile").contains("\nUSER \(user):"))
    }

    @Test(arguments: [
        ("`motion`", "/dev/input/event"), ("of an input device", "`/run/udev`"), ("inertial unit", "gpsd"),
        ("`location`", "`/run/udev`"), ("`location`", "polkit"),
    ])
    func `the table tells what each source needs`(row: String, need: String) throws {
        let lines = try Self.text("README.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(lines.contains { $0.split(separator: "|")[0].contains(row) && $0.contains(need) })
    }
}

extension ConfigurationNode {
    fileprivate subscript(_ key: String) -> ConfigurationNode? {
        guard case .mapping(let entries) = value else { return nil }
        return entries.first { $0.key == key }?.value
    }

    fileprivate var items: [ConfigurationNode] {
        guard case .list(let items) = value else { return [] }
        return items
    }

    fileprivate var text: String? {
        guard case .scalar(let text, quoted: _) = value else { return nil }
        return text
    }
}

internal import DriverKit
package import SystemPackage

/// The control groups of this machine, which are named like the units and containers whose processes they have.
///
/// Source: cgroups(7); systemd.unit(5), whose units have control groups of their names.
package enum ControlGroups {
    private static let root: FilePath = "/sys/fs/cgroup"
    /// The maximum number of control groups that are looked at.
    private static let limit = 16_384

    /// Those of the machine's services, which lie in slices; groups in a container or in a user's own part are left out.
    package static func services() -> [FilePath] {
        search {
            $0.hasSuffix(".service")
        } below: { name, isTop in
            // At the top are slices, or hierarchies such as `devices`.
            name.hasSuffix(".slice") || isTop && !name.contains(".")
        }
    }

    /// Those with a wanted name, and none below one of them.
    package static func containers(where isWanted: (String) -> Bool) -> [FilePath] {
        search(isWanted) { name, _ in !isWanted(name) }
    }

    /// The processes in a control group, or in the only one below it that has any; the lowest number first.
    ///
    /// Nil if several groups below have processes, which need not have the same rights.
    package static func processes(in folder: FilePath) -> [Int32]? {
        let world = LiveWorld(drivers: [])
        let bytes = (try? world.contents(of: folder.appending("cgroup.procs"), limit: 1 << 20)) ?? []
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        if !numbers.isEmpty { return numbers.sorted() }
        guard folder.components.count < 32 else { return [] }
        let below = groups(in: folder, of: world).prefix(limit).map { processes(in: $0) }
        let found = below.filter { $0 != [] }
        return found.count > 1 ? nil : found.first ?? []
    }

    private static func search(
        _ isWanted: (String) -> Bool, below isEntered: (_ name: String, _ isTop: Bool) -> Bool
    ) -> [FilePath] {
        let world = LiveWorld(drivers: [])
        var (found, level, count, isTop) = ([FilePath](), [root], 0, true)
        while !level.isEmpty, count < limit {
            count += level.count
            let below = level.flatMap { groups(in: $0, of: world) }
            func name(_ folder: FilePath) -> String { folder.lastComponent?.string ?? "" }
            found += below.filter { isWanted(name($0)) }
            level = below.filter { isEntered(name($0), isTop) }
            isTop = false
        }
        return found
    }

    private static func groups(in folder: FilePath, of world: LiveWorld) -> [FilePath] {
        let names = (try? world.entries(of: folder)) ?? []
        return names.sorted().map { folder.appending($0) }.filter { world.exists($0.appending("cgroup.procs")) }
    }
}

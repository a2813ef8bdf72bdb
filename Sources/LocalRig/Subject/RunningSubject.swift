internal import DriverKit
internal import FoundationEssentials
internal import Linux
internal import Readiness
internal import SystemPackage

/// A unit of systemd, or a container, that runs.
package struct RunningSubject: Sendable, Equatable {
    package enum Kind: String, Sendable { case unit, container }

    package let kind: Kind
    /// The name of the unit; of a container its name, or the first twelve digits of its identifier.
    package let name: String
    /// Its process with the lowest number; nil if its processes are in several control groups.
    package let process: Int32?

    /// The process of a service of the machine; nil if it does not run, and throws if its processes are in several control
    /// groups.
    static func process(ofUnit name: String, _ words: String) throws(DriverError) -> Int32? {
        try process(in: ControlGroups.services().filter { $0.lastComponent?.string == name }, words)
    }

    /// The process of a container, by its name or the beginning of its identifier; nil if none runs, and throws if several do.
    static func process(ofContainer name: String, _ words: String) throws(DriverError) -> Int32? {
        if let leader = leader(ofMachine: name) { return leader }
        let named = Set(ContainerIdentifier.named(name))
        let folders = ControlGroups.containers { ContainerIdentifier(of: $0) != nil }
        func matching(_ isMeant: (ContainerIdentifier) -> Bool) -> [ContainerIdentifier: [FilePath]] {
            let pairs = folders.compactMap { folder in
                ContainerIdentifier(of: folder.lastComponent?.string ?? "").map { ($0, folder) }
            }
            return Dictionary(grouping: pairs.filter { isMeant($0.0) }, by: \.0).mapValues { $0.map(\.1) }
        }
        for found in [
            matching { named.contains($0.text) }, matching { $0.text == name }, matching { $0.begins(with: name) },
        ] where !found.isEmpty {
            guard found.count == 1, let groups = found.values.first else {
                throw DriverError(
                    .refused, errno: .noSuchProcess, subject: words,
                    detail: "several containers are meant: "
                        + found.keys.map(\.short).sorted().prefix(8).joined(separator: ", "))
            }
            return try process(in: groups, words)
        }
        return nil
    }

    private static func process(in folders: [FilePath], _ words: String) throws(DriverError) -> Int32? {
        for folder in folders {
            guard let numbers = ControlGroups.processes(in: folder) else {
                throw DriverError(
                    .refused, errno: .noSuchProcess, subject: words,
                    detail: "its processes are in several control groups below \(folder); give one with --as-pid")
            }
            if let number = numbers.first { return number }
        }
        return nil
    }

    /// The first process of a machine of systemd; nil if none of this name runs.
    ///
    /// Its scope also has the process that watches it.
    ///
    /// Source: systemd, src/machine/machine.c, which writes the record.
    private static func leader(ofMachine name: String) -> Int32? {
        guard !name.contains("/") else { return nil }
        let file = FilePath("/run/systemd/machines").appending(name)
        let record = (try? LiveWorld(drivers: []).contents(of: file, limit: 64 << 10)) ?? []
        let lines = String(decoding: record, as: UTF8.self).split(separator: "\n")
        // A virtual machine has a kernel of its own.
        guard !lines.contains("CLASS=vm") else { return nil }
        return lines.first { $0.hasPrefix("LEADER=") }.flatMap { Int32($0.dropFirst("LEADER=".count)) }
    }

    /// All services of the machine and all containers that run, by name.
    package static func all() -> [RunningSubject] {
        let names = ContainerIdentifier.names()
        var known: Set<Int32> = []
        /// The subject of a group with processes that no other subject has, such as that of another hierarchy.
        func subject(_ kind: Kind, _ name: String, _ numbers: [Int32]?) -> RunningSubject? {
            guard let numbers else { return RunningSubject(kind: kind, name: name, process: nil) }
            guard let number = numbers.first, known.insert(number).inserted else { return nil }
            return RunningSubject(kind: kind, name: name, process: number)
        }
        let containers = ControlGroups.containers { ContainerIdentifier(of: $0) != nil }.compactMap { folder in
            ContainerIdentifier(of: folder.lastComponent?.string ?? "").flatMap { identifier -> RunningSubject? in
                let isMachine = identifier.text.utf8.count != 64
                let leader = isMachine ? leader(ofMachine: identifier.text) : nil
                // The scope of a virtual machine has no leader that counts.
                if isMachine, leader == nil { return nil }
                return subject(
                    .container, names[identifier] ?? identifier.short,
                    leader.map { [$0] } ?? ControlGroups.processes(in: folder))
            }
        }
        let units = ControlGroups.services().compactMap { folder in
            subject(.unit, folder.lastComponent?.string ?? "", ControlGroups.processes(in: folder))
        }
        func sorted(_ subjects: [RunningSubject]) -> [RunningSubject] {
            Dictionary(grouping: subjects, by: \.name).values.compactMap(\.first).sorted { $0.name < $1.name }
        }
        return sorted(units) + sorted(containers)
    }
}

/// The identifier of a container: 64 hexadecimal digits of Docker, Podman and Kubernetes, or the name of a machine of systemd.
struct ContainerIdentifier: Hashable {
    let text: String

    /// The identifier in the name of a control group, such as `docker-….scope`; nil if it is none of a container.
    ///
    /// Source: systemd-machined(8), whose scopes are named `machine-NAME.scope`; runc's and crun's systemd drivers, whose scopes are
    /// named `PREFIX-ID.scope`; and their file system drivers, whose folders are named `ID` or `libpod-ID`.
    init?(of group: String) {
        let isScope = group.hasSuffix(".scope")
        let stem = isScope ? String(group.dropLast(".scope".count)) : group
        if isScope, stem.hasPrefix("machine-") {
            text = Self.unescaped(String(stem.dropFirst("machine-".count)))
            return
        }
        let last = stem.split(separator: "-").last.map(String.init) ?? ""
        // The scope of the program that watches a container is named `libpod-conmon-ID`.
        guard last.utf8.count == 64, last.utf8.allSatisfy(Self.isHexadecimal), !stem.includes("conmon") else {
            return nil
        }
        text = last
    }

    private init(text: String) { self.text = text }

    /// The first twelve digits, as the programs print it.
    var short: String { text.utf8.count == 64 ? String(text.prefix(12)) : text }

    /// Whether a word is this identifier, or a beginning of at least four digits.
    func begins(with word: String) -> Bool {
        text == word || text.utf8.count == 64 && word.utf8.count >= 4 && text.hasPrefix(word)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// A name without the escapes of systemd: `\x2d` for `-`.
    private static func unescaped(_ name: String) -> String {
        let parts = name.split(separator: "\\x", omittingEmptySubsequences: false)
        var text = String(parts[0])
        for part in parts.dropFirst() {
            guard let scalar = UInt8(part.prefix(2), radix: 16), scalar >= 0x20 else { return name }
            text.unicodeScalars.append(Unicode.Scalar(scalar))
            text += part.dropFirst(2)
        }
        return text
    }

    // MARK: Names

    /// The identifiers of the containers with a name.
    static func named(_ name: String) -> [String] { names().filter { $0.value == name }.map(\.key.text) }

    /// The names of Podman's and Docker's containers; empty where this user may not read them.
    ///
    /// Source: containers-storage's `containers.json`; Docker's `config.v2.json`.
    static func names(below root: FilePath = "/") -> [ContainerIdentifier: String] {
        let world = LiveWorld(drivers: [])
        var names: [ContainerIdentifier: String] = [:]
        func contents(_ file: FilePath) -> Data? { (try? world.contents(of: file, limit: 4 << 20)).map { Data($0) } }
        for storage in ["overlay", "vfs", "btrfs", "zfs"] {
            let file = root.appending("var/lib/containers/storage/\(storage)-containers/containers.json")
            let stored = contents(file).flatMap { try? JSONDecoder().decode([StoredContainer].self, from: $0) } ?? []
            for one in stored { names[ContainerIdentifier(text: one.id)] = one.names?.first }
        }
        let folder = root.appending("var/lib/docker/containers")
        for identifier in (try? world.entries(of: folder)) ?? [] {
            let file = folder.appending(identifier).appending("config.v2.json")
            guard let stored = contents(file).flatMap({ try? JSONDecoder().decode(DockerContainer.self, from: $0) })
            else { continue }
            // Docker's names begin with a slash.
            names[ContainerIdentifier(text: identifier)] =
                stored.Name.hasPrefix("/") ? String(stored.Name.dropFirst()) : stored.Name
        }
        return names
    }

    private struct StoredContainer: Decodable {
        var id: String
        var names: [String]?
    }

    private struct DockerContainer: Decodable { var Name: String }
}

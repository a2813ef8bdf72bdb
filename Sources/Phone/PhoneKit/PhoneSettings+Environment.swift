internal import LocalRig
internal import DriverKit
internal import Glibc
internal import Permissions
internal import Readiness
internal import Probing
internal import SystemPackage

extension PhoneSettings {
    /// Those of this process: the files in their default places, or where the environment names others.
    ///
    /// `RIGREADY_PERMISSIONS`, `RIGREADY_POLICY`, `RIGREADY_CONFIG` name files, `RIGREADY_GPSD` a `HOST:PORT`,
    /// `RIGREADY_ANSWER` the answer to every question that offers it, for a rig without a terminal.
    package static var environment: PhoneSettings {
        let (host, port) = variable("RIGREADY_GPSD").flatMap(parts) ?? ("127.0.0.1", 2947)
        let world = Bundled.world()
        let drivers = Bundled.drivers(
            gpsdHost: host, gpsdPort: port, criteria: FixCriteria(), waitForFix: 0, iio: [])
        let answer = variable("RIGREADY_ANSWER").flatMap { PermissionAnswer(rawValue: $0) }
        return PhoneSettings(
            files: DecisionFiles(
                grants: variable("RIGREADY_PERMISSIONS").map { FilePath($0) },
                policy: variable("RIGREADY_POLICY").map { FilePath($0) }),
            configuration: FilePath(variable("RIGREADY_CONFIG") ?? "/etc/rigready/config.yaml"),
            login: .current,
            rig: Probe(drivers.map { DriverBinding($0, in: world) }, leftOut: Bundled.leftOut),
            world: world,
            gpsd: .gpsd(host: host, port: port),
            prompter: answer.map { FixedPrompter($0) } ?? TerminalPrompter(),
            complain: { line in
                let bytes = Array("rigready: \(line)\n".utf8)
                _ = try? FileDescriptor.standardError.writeAll(bytes)
            })
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `HOST:PORT`, `HOST` or `[HOST]:PORT`.
    private static func parts(_ text: String) -> (String, UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return (text, 2947)
        }
        let host = text[..<colon]
        return (host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host), port)
    }
}

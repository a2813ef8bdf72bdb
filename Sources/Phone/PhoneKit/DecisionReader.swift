internal import Configuration
internal import DriverKit
internal import Glibc
internal import Permissions
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// Reads the files that a state rests on.
///
/// A file that does not exist is an empty one. One that is not valid leaves what held before, and before anything held it
/// forbids: nobody can tell what the user or the system's owner meant.
final class DecisionReader: Sendable {
    private struct Held {
        var grants: Grants?
        var policy: Policy?
        var configuration: RigConfiguration?
        var complaints: [String: String] = [:]
    }

    private let settings: PhoneSettings
    private let held = Mutex(Held())

    init(_ settings: PhoneSettings) { self.settings = settings }

    /// The files, and the names of the login sessions.
    var files: [FilePath] {
        let login = settings.login
        return [settings.grants?.path, settings.policy, settings.configuration, login.folder.appending(".")]
            .compactMap { $0 } + [login.name].compactMap { $0 }.filter { !$0.contains("/") }.map(login.folder.appending)
    }

    /// The state that an inventory makes with the files as they are now.
    func state(of inventory: Inventory, question: PermissionQuestion?) -> PhoneState {
        let (decisions, configuration) = (decisions, configuration)
        let assessment = Assessment(
            inventory, of: settings.identity,
            authorizations: Authorizations(access: inventory).narrowed(by: decisions),
            request: Assessment.Request(.all, pins: configuration.pins))
        return PhoneState(
            assessment: assessment, isInForeground: settings.login.isActive, question: question, decisions: decisions,
            configuration: configuration)
    }

    /// What was decided, as the files say now.
    var decisions: Decisions { Decisions(grants, policy, at: GrantContext(in: settings.login)) }

    /// The configuration, as the file says now.
    var configuration: RigConfiguration {
        let name = settings.configuration.string
        let read = read(name, expecting: "a configuration in YAML or JSON", RigConfiguration()) {
            (bytes) throws(ConfigurationError) in try RigConfiguration(parsing: bytes, file: name)
        }
        return held.withLock { held in
            held.configuration = read ?? held.configuration
            return held.configuration ?? RigConfiguration()
        }
    }

    private var grants: Grants {
        guard let file = settings.grants else { return Grants() }
        let name = file.path.string
        let read = read(name, expecting: "grants in YAML or JSON", Grants(file: name)) {
            (bytes) throws(ConfigurationError) in try Grants(parsing: bytes, file: name)
        }
        return held.withLock { held in
            held.grants = read ?? held.grants
            return held.grants
                ?? Grants(
                    file: name, location: LocationGrant(.denied), motion: .denied, bluetooth: .denied, health: .denied)
        }
    }

    private var policy: Policy {
        let name = settings.policy.string
        let read = read(name, expecting: "a policy in YAML or JSON", Policy()) {
            (bytes) throws(ConfigurationError) in try Policy(parsing: bytes, file: name)
        }
        return held.withLock { held in
            held.policy = read ?? held.policy
            return held.policy ?? Policy(file: name, restricted: Set(Permission.allCases))
        }
    }

    /// What a file says; `none` where there is no file, nil where it cannot be read or is not valid, which is told once.
    private func read<Value>(
        _ name: String, expecting: String, _ none: Value, _ parse: ([UInt8]) throws(ConfigurationError) -> Value
    ) -> Value? {
        let complaint: String
        do {
            let bytes = try GrantFile.contents(of: FilePath(name))
            let value = try parse(bytes)
            held.withLock { $0.complaints[name] = nil }
            return value
        } catch Errno.noSuchFileOrDirectory {
            return none
        } catch {
            complaint = (error as? Errno).map { "\(name): \($0.clause); expected \(expecting)" } ?? "\(error)"
        }
        let isNew = held.withLock { held in
            defer { held.complaints[name] = complaint }
            return held.complaints[name] != complaint
        }
        if isNew { settings.complain("\(complaint); what held before holds on") }
        return nil
    }
}

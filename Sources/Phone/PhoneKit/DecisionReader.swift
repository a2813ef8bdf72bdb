internal import Configuration
internal import Permissions
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// Reads the files that a state is computed from.
///
/// A missing file is an empty one. If a file is not valid, its previous contents stay in effect; without previous
/// contents everything is forbidden, since the intent of the user or the system's owner is unknown.
final class DecisionReader: Sendable {
    private struct Held {
        var grants: Grants?
        var policy: Policy?
        var configuration: RigConfiguration?
        var complaints: [FilePath: DecisionFileError] = [:]
    }

    private let settings: PhoneSettings
    private let held = Mutex(Held())

    init(_ settings: PhoneSettings) { self.settings = settings }

    /// The files, and the names of the login sessions.
    var files: [FilePath] {
        let login = settings.login
        return [
            settings.files.grants?.path, settings.files.policy.path, settings.configuration,
            login.folder.appending("."),
        ]
        .compactMap { $0 } + [login.name].compactMap { $0 }.filter { !$0.contains("/") }.map(login.folder.appending)
    }

    /// The state of an inventory with the files as they are now.
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

    /// The decisions in the files now.
    var decisions: Decisions { Decisions(grants, policy, at: GrantContext(in: settings.login)) }

    /// The configuration in the file now.
    var configuration: RigConfiguration {
        let file = settings.configuration
        let read = read(file) { () throws(DecisionFileError) in
            do {
                return try RigConfiguration(
                    parsing: BoundedFile.read(file, limit: GrantFile.limit), file: file.string)
            } catch Errno.noSuchFileOrDirectory {
                return RigConfiguration()
            } catch {
                let code: DecisionFileErrorCode =
                    (error as? ConfigurationError).map { .invalid($0) } ?? .unreadable(error as? Errno ?? .ioError)
                throw DecisionFileError(code, path: file, expected: "a configuration in YAML or JSON")
            }
        }
        return held.withLock { held in
            held.configuration = read ?? held.configuration
            return held.configuration ?? RigConfiguration()
        }
    }

    private var grants: Grants {
        guard let file = settings.files.grants else { return Grants() }
        let read = read(file.path, settings.files.readGrants)
        return held.withLock { held in
            held.grants = read ?? held.grants
            return held.grants
                ?? Grants(
                    file: file.path.string, location: LocationGrant(.denied), motion: .denied, bluetooth: .denied,
                    health: .denied)
        }
    }

    private var policy: Policy {
        let file = settings.files.policy.path
        let read = read(file, settings.files.readPolicy)
        return held.withLock { held in
            held.policy = read ?? held.policy
            return held.policy ?? Policy(file: file.string, restricted: Set(Permission.allCases))
        }
    }

    /// A file's contents; nil if it cannot be read or is not valid, which is reported once.
    private func read<Value>(_ file: FilePath, _ body: () throws(DecisionFileError) -> Value) -> Value? {
        do {
            let value = try body()
            held.withLock { $0.complaints[file] = nil }
            return value
        } catch {
            let isNew = held.withLock { $0.complaints.updateValue(error, forKey: file) != error }
            if isNew { settings.complain("\(error); the previous contents stay in effect") }
            return nil
        }
    }
}

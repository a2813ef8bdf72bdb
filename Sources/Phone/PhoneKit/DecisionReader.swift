internal import Configuration
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

    /// What a file says; nil where it cannot be read or is not valid, of which one complaint is made.
    private func read<Value>(_ file: FilePath, _ body: () throws(DecisionFileError) -> Value) -> Value? {
        do {
            let value = try body()
            held.withLock { $0.complaints[file] = nil }
            return value
        } catch {
            let isNew = held.withLock { $0.complaints.updateValue(error, forKey: file) != error }
            if isNew { settings.complain("\(error); what held before holds on") }
            return nil
        }
    }
}

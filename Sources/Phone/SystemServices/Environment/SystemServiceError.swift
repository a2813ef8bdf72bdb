public import DriverKit
public import Permissions

/// Why a service's state could not be determined, or a person not be asked about it.
public enum SystemServiceError: Error, Sendable, CustomStringConvertible {
    /// The request could not be made, or a file of decisions is not usable.
    case request(PermissionRequestError)
    /// The rig cannot be probed.
    case rig(DriverError)

    /// The reason, in one clause.
    public var description: String {
        switch self {
        case .request(.noGrantFile): "there is no place for the user's grants"
        case .request(.missingPurpose(let purpose)): purpose.description
        case .request(.file(let error)): error.description
        case .rig(let error): error.description
        }
    }

    /// Runs what reads or writes a file of decisions.
    static func converting<Value: ~Copyable>(
        _ body: () throws(DecisionFileError) -> Value
    ) throws(SystemServiceError) -> Value {
        do {
            return try body()
        } catch {
            throw .request(.file(error))
        }
    }

    /// Runs what asks for a permission.
    static func converting<Value>(
        _ body: () throws(PermissionRequestError) -> Value
    ) throws(SystemServiceError) -> Value {
        do {
            return try body()
        } catch {
            throw .request(error)
        }
    }
}

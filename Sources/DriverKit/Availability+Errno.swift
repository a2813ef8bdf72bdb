public import Readiness
internal import SystemPackage

extension DriverError {
    /// The availability of a listed sensor after a failed read.
    ///
    /// EACCES and EPERM leave the sensor `indeterminate` (its access is denied); ENODEV, ENXIO and ENOENT mean
    /// `absent`, removed since it was listed; ETIMEDOUT and our own deadline `silent`; a peer that closed the
    /// connection `unreachable`; ENOSYS and an answer missing from a recording `indeterminate`; all others `faulty`.
    /// The IIO driver handles EBUSY with a buffer enabled before this.
    public var availability: Availability {
        switch code {
        case .timedOut, .unanswered: return .unavailable(.silent)
        case .closed: return .unavailable(.unreachable)
        case .unsupported, .notRecorded, .cancelled: return .unavailable(.indeterminate)
        default: break
        }
        switch errno {
        case .permissionDenied, .notPermitted, .noFunction: return .unavailable(.indeterminate)
        case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
            return .unavailable(.absent)
        case .timedOut: return .unavailable(.silent)
        default: return .unavailable(.faulty)
        }
    }

    /// The error as evidence.
    public func evidence(of sensor: String? = nil) -> Evidence {
        Evidence(sensor: sensor, path: subject, errno: errno?.name, said: reason)
    }
}

public import Readiness
internal import SystemPackage

extension DriverError {
    /// What a failed read says of a sensor that was listed.
    ///
    /// EACCES and EPERM leave the sensor `indeterminate` (its access is denied); ENODEV, ENXIO and ENOENT are `absent`,
    /// gone since it was listed; ETIMEDOUT and our own deadline `silent`; a peer that ended the conversation
    /// `unreachable`; ENOSYS and what a recording lacks `indeterminate`; all others `faulty`. EBUSY with a buffer enabled
    /// is the IIO driver's to see first.
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

internal import DriverKit
internal import Foundation
internal import Readiness
internal import SystemPackage

/// The domain of this library's errors.
public let CMErrorDomain = "CMErrorDomain"

/// A code of an error in `CMErrorDomain`, with Core Motion's numbers.
public struct CMError: RawRepresentable, Hashable, Sendable {
    /// The raw value.
    public var rawValue: UInt32
    /// Creates a code from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Creates a code from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// No error; never reported here.
public var CMErrorNULL: CMError { CMError(100) }
/// The device must move first; never reported here.
public var CMErrorDeviceRequiresMovement: CMError { CMError(101) }
/// There is no true north; never reported here.
public var CMErrorTrueNorthNotAvailable: CMError { CMError(102) }
/// The driver failed in a way that no other code describes; the underlying error has its number.
public var CMErrorUnknown: CMError { CMError(103) }
/// The rig has no chip that reports activities, or no record of the requested interval.
public var CMErrorMotionActivityNotAvailable: CMError { CMError(104) }
/// Motion is not authorized: by the operating system, the user's grants or the policy.
public var CMErrorMotionActivityNotAuthorized: CMError { CMError(105) }
/// An entitlement is missing; never reported here, a rig has none.
public var CMErrorMotionActivityNotEntitled: CMError { CMError(106) }
/// An argument is invalid.
public var CMErrorInvalidParameter: CMError { CMError(107) }
/// A call at the wrong time; never reported here.
public var CMErrorInvalidAction: CMError { CMError(108) }
/// The rig has no such sensor, it was removed, or another program captures from it.
public var CMErrorNotAvailable: CMError { CMError(109) }
/// An entitlement is missing; never reported here, a rig has none.
public var CMErrorNotEntitled: CMError { CMError(110) }
/// This user may not capture from the sensor: by the node's access, the user's grants or the policy.
public var CMErrorNotAuthorized: CMError { CMError(111) }
/// The sensor is there but delivers no samples.
public var CMErrorNilData: CMError { CMError(112) }
/// Too much data; never reported here.
public var CMErrorSize: CMError { CMError(113) }

extension CMError {
    /// The code for a driver's error.
    init(_ error: DriverError) {
        self =
            switch error.availability {
            case _ where error.isDenied: CMErrorNotAuthorized
            case .unavailable(.absent): CMErrorNotAvailable
            case .unavailable(.silent): CMErrorNilData
            case _ where error.code == .unsupported || error.errno == .resourceBusy: CMErrorNotAvailable
            default: CMErrorUnknown
            }
    }

    /// The error as handlers receive it, with what would fix it.
    func error(_ description: String, remedy: String? = nil, errno: Errno? = nil) -> NSError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: description]
        information[NSLocalizedRecoverySuggestionErrorKey] = remedy
        information[NSUnderlyingErrorKey] = errno.map { NSError(domain: NSPOSIXErrorDomain, code: Int($0.rawValue)) }
        return NSError(domain: CMErrorDomain, code: Int(rawValue), userInfo: information)
    }

    /// A driver's error, as handlers receive it.
    static func error(_ error: DriverError) -> NSError {
        CMError(error).error(error.description, errno: error.errno)
    }
}

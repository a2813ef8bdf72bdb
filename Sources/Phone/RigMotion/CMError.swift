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

/// The driver failed in a way that no other code describes; the underlying error has its number.
public let CMErrorUnknown = CMError(103)
/// The rig has no chip that reports activities, or no record of the requested interval.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// Motion is not authorized: by the operating system, the user's grants or the policy.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
/// An argument is invalid.
public let CMErrorInvalidParameter = CMError(107)
/// The rig has no such sensor, it was removed, or another program captures from it.
public let CMErrorNotAvailable = CMError(109)
/// This user may not capture from the sensor: by the node's access, the user's grants or the policy.
public let CMErrorNotAuthorized = CMError(111)
/// The sensor is there but delivers no samples.
public let CMErrorNilData = CMError(112)
/// Codes that are never reported here: a phone's, for sensors and entitlements that a rig does not have.
public let CMErrorNULL = CMError(100), CMErrorDeviceRequiresMovement = CMError(101),
    CMErrorTrueNorthNotAvailable = CMError(102), CMErrorMotionActivityNotEntitled = CMError(106),
    CMErrorInvalidAction = CMError(108), CMErrorNotEntitled = CMError(110), CMErrorSize = CMError(113)

extension CMError {
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
    func error(_ description: String, remedy: String, errno: Errno? = nil) -> NSError {
        var information: [String: Any] = [
            NSLocalizedDescriptionKey: description, NSLocalizedRecoverySuggestionErrorKey: remedy,
        ]
        information[NSUnderlyingErrorKey] = errno.map { NSError(domain: NSPOSIXErrorDomain, code: Int($0.rawValue)) }
        return NSError(domain: CMErrorDomain, code: Int(rawValue), userInfo: information)
    }

    static func error(_ error: DriverError, remedy: String) -> NSError {
        CMError(error).error(error.description, remedy: remedy, errno: error.errno)
    }
}

import DriverKit
import Foundation
import SystemPackage
import Testing
@testable import RigMotion

/// Errors, and the calls that deliver them.
@Suite struct ErrorTests {
    /// Source: Core Motion, `CMError`.
    @Test func `the codes are those of the phone`() {
        let codes = [
            CMErrorNULL, CMErrorDeviceRequiresMovement, CMErrorTrueNorthNotAvailable, CMErrorUnknown,
            CMErrorMotionActivityNotAvailable, CMErrorMotionActivityNotAuthorized, CMErrorMotionActivityNotEntitled,
            CMErrorInvalidParameter, CMErrorInvalidAction, CMErrorNotAvailable, CMErrorNotEntitled,
            CMErrorNotAuthorized, CMErrorNilData, CMErrorSize,
        ]
        #expect(codes.map { Int($0.rawValue) } == Array(100...113))
    }

    @Test func `an error has what fixes it, and the kernel's error below it`() {
        let error = CMError.error(
            DriverError(.refused, errno: .permissionDenied, subject: "iio:device0"), remedy: "join the group")
        #expect(error.domain == CMErrorDomain && error.code == 111)
        #expect(error.localizedRecoverySuggestion == "join the group")
        let below = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(below?.domain == NSPOSIXErrorDomain && below?.code == 13)
    }

    @Test func `what a rig lacks is not available`() {
        let manager = CMMotionManager()
        #expect(!manager.isDeviceMotionAvailable && !manager.isMagnetometerAvailable)
    }

    @Test func `a handler that does not keep up misses samples, never an error`() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        final class Heard { var values = 0, errors = 0 }
        let heard = Heard()
        let handler = HandlerQueue<Int>(queue) { value, _ in
            if value == nil { heard.errors += 1 } else { heard.values += 1 }
        }
        for value in 0..<600 { handler.send(value) }
        handler.send(NSError(domain: CMErrorDomain, code: 112))
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(heard.values == 512 && heard.errors == 1)
    }
}

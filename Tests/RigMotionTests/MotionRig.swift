import CaptureSupport
import DriverKit
import Foundation
import IIO
import PhoneKit
import PhoneSupport
import Synchronization

/// A simulated rig with its decisions, for objects with Apple's names.
struct MotionRig {
    let memory = MemoryRig()
    let test: TestRig

    init(grants: String? = nil, policy: String? = nil, configuration: String? = TestRig.purposes) throws {
        test = try TestRig(
            grants: grants, policy: policy, configuration: configuration, drivers: [IIODriver()], world: memory)
        let memory = memory
        _ = test.rig.attachment(MotionCapture.self) { _ in MotionCapture(world: memory, hardware: memory) }
    }

    /// Creates an object with Apple's name on this rig.
    func made<Made>(_ make: () throws -> Made) rethrows -> Made {
        try PhoneRig.$substitute.withValue(test.rig) { try make() }
    }
}

/// The calls of handlers, from any thread.
final class Calls<Value: Sendable>: Sendable {
    private let calls = Mutex<[(value: Value?, code: Int?)]>([])

    func note(_ value: Value?, _ error: (any Error)?) {
        calls.withLock { $0.append((value, (error as? NSError)?.code)) }
    }

    var values: [Value] { calls.withLock { $0.compactMap(\.value) } }
    var codes: [Int] { calls.withLock { $0.compactMap(\.code) } }
    var count: Int { calls.withLock(\.count) }
}

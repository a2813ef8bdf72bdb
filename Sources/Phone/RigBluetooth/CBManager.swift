public import Foundation
internal import PhoneKit

/// The power of Bluetooth, and whether this program may know it.
///
/// Raw values are Apple's.
@nonexhaustive(warn)
public enum CBManagerState: Int, Sendable {
    /// Not reported yet, or authorization is not decided yet.
    case unknown = 0
    /// A controller is restarting.
    case resetting = 1
    /// There is no controller.
    case unsupported = 2
    /// Bluetooth is denied or restricted; its power is then unknown.
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// Whether an app may use Bluetooth.
///
/// Raw values are Apple's.
@nonexhaustive(warn)
public enum CBManagerAuthorization: Int, Sendable {
    /// Nothing is decided yet.
    case notDetermined = 0
    /// The system's policy forbids it; the user cannot change that.
    case restricted = 1
    /// The user refused, or the operating system does not let this user open the management socket.
    case denied = 2
    case allowedAlways = 3
}

/// The base class of Bluetooth managers.
open class CBManager: NSObject {
    let post: CentralManagerCore

    init(queue: DispatchQueue?, asks: Bool) {
        post = CentralManagerCore(.current, queue: queue)
        super.init()
        post.begin(asks: asks) { [weak self] in self?.didUpdateState() }
    }

    deinit { post.end() }

    /// The state that was last reported to the delegate; unknown before.
    open var state: CBManagerState { post.state }

    /// Whether this program may use Bluetooth.
    ///
    /// Never asks; the process's first reader waits for the first probe.
    open class var authorization: CBManagerAuthorization { BluetoothState(PhoneRig.current.state).authorization }

    /// Called on the manager's queue when the state has changed.
    func didUpdateState() {}
}

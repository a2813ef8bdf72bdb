// As CoreBluetooth does: importing one imports the other.
@_exported public import Foundation
internal import LocalRig
internal import PhoneKit
internal import Readiness
internal import Synchronization

/// Options of a manager, without effect on Linux.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert",
    CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"

/// Receives changes of the state of Bluetooth.
public protocol CBCentralManagerDelegate: AnyObject {
    /// The state changed, or is reported for the first time; on the queue that the manager was created with.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
}

/// The state of this rig's Bluetooth, and the authorization to use it; creating one asks if nothing was decided yet.
open class CBCentralManager: CBManager, @unchecked Sendable {
    private let lock = NSLock()
    private weak var held: (any CBCentralManagerDelegate)?

    /// The receiver of changes; held weakly.
    open weak var delegate: (any CBCentralManagerDelegate)? {
        get { lock.withLock { held } }
        set { lock.withLock { held = newValue } }
    }

    /// Makes a manager; without a queue the delegate is called on the main one; the options have no effect.
    public init(
        delegate: (any CBCentralManagerDelegate)? = nil, queue: DispatchQueue? = nil, options: [String: Any]? = nil
    ) {
        held = delegate
        super.init(queue: queue)
    }

    override func didUpdateState() { delegate?.centralManagerDidUpdateState(self) }

    // MARK: Scanning

    /// False: scanning is out of scope.
    open var isScanning: Bool { false }

    /// Does nothing, and reports that on standard error.
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        rig.settings.complain(
            "CBCentralManager.scanForPeripherals: scanning is out of scope; no peripheral will be found")
    }

    /// Does nothing: no scan is running.
    open func stopScan() {}
}

/// The identifier of a service.
open class CBUUID: NSObject, @unchecked Sendable {
    /// The identifier in digits, as it was given.
    public let uuidString: String

    /// Makes an identifier of 4, 8 or 32 hexadecimal digits.
    public init(string: String) { uuidString = string.uppercased() }

    /// Makes an identifier of 128 bits.
    public init(nsuuid: UUID) { uuidString = nsuuid.uuidString }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.uuidString == uuidString }
    open override var hash: Int { uuidString.hashValue }
}

/// The power of Bluetooth, and whether this program may know it; raw values are Apple's.
@nonexhaustive(warn)
public enum CBManagerState: Int, Sendable {
    /// Not reported yet, or authorization is not decided yet.
    case unknown
    /// A controller is restarting.
    case resetting
    /// There is no controller.
    case unsupported
    /// Bluetooth is denied or restricted; its power is then unknown.
    case unauthorized
    case poweredOff, poweredOn

    init(_ rig: PhoneState) {
        self = Self(rawValue: Int(rig.assessment.bluetoothState.rawValue)) ?? .unknown
    }
}

/// Whether an app may use Bluetooth: undecided; restricted by the system's policy; denied by the user, or since the
/// operating system does not let this user open the management socket; or allowed; raw values are Apple's.
@nonexhaustive(warn)
public enum CBManagerAuthorization: Int, Sendable {
    case notDetermined, restricted, denied, allowedAlways

    init(_ rig: PhoneState) {
        self = Self(rawValue: rig.authorizations.bluetooth.status.rawValue) ?? .notDetermined
    }
}

/// The base class of Bluetooth managers.
open class CBManager: NSObject, @unchecked Sendable {
    let rig = PhoneRig.current
    private let queue: DispatchQueue
    /// Orders changes, and waits for the first probe.
    private let desk = DispatchQueue(label: "rigready.bluetooth")
    private let reported = Mutex<CBManagerState?>(nil)
    private var observation: Observation?

    /// Asks the user if nothing was decided yet, and reports the state and each change on the queue.
    init(queue: DispatchQueue?) {
        self.queue = queue ?? .main
        super.init()
        observation = rig.observe { [weak self] _ in self?.look() }
        desk.async { [rig] in if CBManagerAuthorization(rig.state) == .notDetermined { rig.request(.bluetooth) } }
        look()
    }

    /// The state that was last reported to the delegate; unknown before.
    open var state: CBManagerState { reported.withLock(\.self) ?? .unknown }

    /// Whether this program may use Bluetooth; never asks, and the process's first reader waits for the first probe.
    open class var authorization: CBManagerAuthorization { CBManagerAuthorization(PhoneRig.current.state) }

    /// Called on the manager's queue when the state has changed.
    func didUpdateState() {}

    /// Reports the state at that time, if it differs.
    private func look() {
        desk.async { [weak self] in
            guard let self else { return }
            let new = CBManagerState(rig.state)
            queue.async { [weak self] in
                guard let self else { return }
                if reported.withLock({ exchange(&$0, with: new) }) != new { didUpdateState() }
            }
        }
    }
}

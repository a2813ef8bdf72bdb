public import Foundation

/// Whether the system shows a warning when Bluetooth is off; has no effect on Linux.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The name to restore a manager by; has no effect on Linux.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"

/// Receives changes of the state of Bluetooth.
public protocol CBCentralManagerDelegate: AnyObject {
    /// The state changed, or is reported for the first time; on the queue that the manager was created with.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
}

/// The state of this rig's Bluetooth, and the authorization to use it.
///
/// Creating one asks the user if nothing was decided yet. Scanning is out of scope: its calls exist, and report that.
open class CBCentralManager: CBManager {
    private let witness = Witness()

    /// The receiver of changes; held weakly.
    open weak var delegate: (any CBCentralManagerDelegate)? {
        get { witness.delegate }
        set { witness.delegate = newValue }
    }

    /// Makes a manager without a delegate.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    /// Makes a manager; without a queue the delegate is called on the main one.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Makes a manager; the options have no effect.
    public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
        witness.delegate = delegate
        super.init(queue: queue, asks: true)
    }

    override func didUpdateState() { delegate?.centralManagerDidUpdateState(self) }

    // MARK: Scanning

    /// False: scanning is out of scope.
    open var isScanning: Bool { false }

    /// Does nothing, and reports that on standard error.
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        post.complain("CBCentralManager.scanForPeripherals: scanning is out of scope; no peripheral will be found")
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

    /// Equal in digits.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.uuidString == uuidString }

    /// Hashes the digits.
    open override var hash: Int { uuidString.hashValue }
}

/// The delegate, held weakly because the app owns it.
private final class Witness: @unchecked Sendable {
    private let lock = NSLock()
    private weak var held: (any CBCentralManagerDelegate)?

    var delegate: (any CBCentralManagerDelegate)? {
        get { lock.withLock { held } }
        set { lock.withLock { held = newValue } }
    }
}

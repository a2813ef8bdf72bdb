internal import Configuration
internal import Readiness
internal import PhoneKit

/// What a state of the rig means for Bluetooth.
struct BluetoothState: Sendable, Hashable {
    var authorization: CBManagerAuthorization
    var state: CBManagerState

    init(_ rig: PhoneState) {
        switch rig.authorizations.bluetooth.status {
        case .notDetermined: self.init(authorization: .notDetermined, state: .unknown)
        case .restricted: self.init(authorization: .restricted, state: .unauthorized)
        case .denied: self.init(authorization: .denied, state: .unauthorized)
        case .allowed:
            self.init(
                authorization: .allowedAlways,
                state: Self.power(in: rig.inventory, pin: rig.configuration.pins[.bluetoothAdapter]))
        }
    }

    private init(authorization: CBManagerAuthorization, state: CBManagerState) {
        self.authorization = authorization
        self.state = state
    }

    /// The best controller's power; a pinned one's alone.
    ///
    /// Without any, unsupported only where none was found by a look
    /// that was completed.
    private static func power(in inventory: Inventory, pin: String?) -> CBManagerState {
        var controllers = inventory.sensors.filter { $0.kind == .bluetoothAdapter }
        if let pin { controllers = inventory.sensor(.bluetoothAdapter, pinnedAs: pin).map { [$0] } ?? [] }
        let states = controllers.map(power(of:))
        for state in [CBManagerState.poweredOn, .resetting, .poweredOff, .unknown] where states.contains(state) {
            return state
        }
        let obstacles = inventory.obstacles.filter { $0.kind == .bluetoothAdapter }.map(\.cause)
        if obstacles.contains(where: { $0 == .softBlocked || $0 == .hardBlocked }) { return .poweredOff }
        let wasLookedFor = inventory.drivers.contains { $0.kinds.contains(.bluetoothAdapter) && $0.state == .ok }
        return wasLookedFor && obstacles.allSatisfy { $0 == .absent } ? .unsupported : .unknown
    }

    private static func power(of controller: Sensor) -> CBManagerState {
        if case .adapter(let reading) = controller.reading {
            switch reading.state {
            case .poweredOn: return .poweredOn
            case .poweredOff: return .poweredOff
            case .resetting: return .resetting
            case .unsupported, .unauthorized, .unknown: break
            }
        }
        switch controller.availability {
        case .unavailable(.poweredOff), .unavailable(.softBlocked), .unavailable(.hardBlocked): return .poweredOff
        case .unavailable(.absent), .unavailable(.noDriver): return .unsupported
        case .available, .unavailable: return .unknown
        }
    }
}

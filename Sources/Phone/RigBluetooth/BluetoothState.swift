internal import Configuration
internal import Readiness
internal import PhoneKit

/// A rig's state, as far as it concerns Bluetooth.
struct BluetoothState: Sendable, Hashable {
    var authorization: CBManagerAuthorization
    var state: CBManagerState

    init(_ rig: PhoneState) {
        switch rig.authorizations.bluetooth.status {
        case .notDetermined: self.init(authorization: .notDetermined, state: .unknown)
        case .restricted: self.init(authorization: .restricted, state: .unauthorized)
        case .denied: self.init(authorization: .denied, state: .unauthorized)
        case .allowed:
            self.init(authorization: .allowedAlways, state: CBManagerState(rig.assessment.bluetoothState))
        }
    }

    private init(authorization: CBManagerAuthorization, state: CBManagerState) {
        self.authorization = authorization
        self.state = state
    }
}

extension CBManagerState {
    init(_ state: AdapterReading.State) {
        switch state {
        case .unknown: self = .unknown
        case .resetting: self = .resetting
        case .unsupported: self = .unsupported
        case .unauthorized: self = .unauthorized
        case .poweredOff: self = .poweredOff
        case .poweredOn: self = .poweredOn
        }
    }
}

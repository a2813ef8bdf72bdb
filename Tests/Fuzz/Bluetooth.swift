@testable import Bluetooth
import DriverKit
@testable import GPSD

/// The packets of the management interface and all parsing of their parameters.
func fuzzBluetoothManagement(_ bytes: [UInt8]) {
    _ = try? ControllerIndex.parse(extended: bytes)
    _ = try? ControllerIndex.parse(configured: bytes, unconfigured: bytes)
    _ = try? ControllerInformation(management: bytes)
    _ = try? MissingConfiguration(management: bytes)
    guard let packet = try? ManagementPacket(parsing: bytes), let reply = try? ManagementReply(packet) else { return }
    _ = reply.status.words
    _ = try? ControllerInformation(management: reply.parameters)
    _ = try? ControllerIndex.parse(extended: reply.parameters)
}

/// The answers to the HCI ioctls.
func fuzzBluetoothHCI(_ bytes: [UInt8]) {
    _ = try? HCIClient.parse(list: bytes)
    _ = try? ControllerInformation(hci: bytes)
}

/// The frames of the system bus: what bluetoothd says of its controllers, and ModemManager of its modems and positions.
func fuzzBusValues(_ bytes: [UInt8]) {
    let values = BusValues(parsing: bytes)
    if values.values.count > BusValues.valueLimit { fatalError("more values than the bound") }
    if BusValues(parsing: BusValues.frame(of: values.values)) != values { fatalError("a frame that is not kept") }
    _ = BlueZAdapters.answers(parsing: bytes)
    for modem in Modem.modems(parsing: bytes) { _ = (modem.inactivity, modem.lock, modem.evidence, modem.key) }
    if let position = ModemPosition(parsing: bytes), abs(position.latitude) > 90 { fatalError("no place on Earth") }
    _ = BusCall(bytes)?.frame
}

/// The events of `/dev/rfkill`.
func fuzzRadioEvent(_ bytes: [UInt8]) {
    _ = RfkillEvent(parsing: bytes)
}

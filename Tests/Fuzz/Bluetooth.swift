@testable import Bluetooth
import DriverKit

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

/// The events of `/dev/rfkill`.
func fuzzRadioEvent(_ bytes: [UInt8]) {
    _ = RfkillEvent(parsing: bytes)
}

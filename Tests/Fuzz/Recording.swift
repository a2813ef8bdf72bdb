import Bluetooth
import DriverKit
import GPSD
import IIO
import Recording

private let drivers: [any Driver] = [IIODriver(), BluetoothDriver(), GPSDDriver()]

/// Recordings from untrusted sources.
func fuzzRecording(_ bytes: [UInt8]) {
    guard let recording = try? Recording(parsing: bytes, file: "") else { return }
    _ = recording.serialized()
    _ = recording.anonymized(by: drivers.compactMap(\.anonymizer))
}

import Bluetooth
import DriverKit
import Foundation
import GPSD
import IIO
import LocalRig
import Rendering

private let drivers: [any Driver] = [IIODriver(), BluetoothDriver(), GPSDDriver()]

/// Recordings from untrusted sources.
func fuzzRecording(_ bytes: [UInt8]) {
    guard let recording = try? Recording(parsing: bytes, file: "") else { return }
    _ = recording.serialized()
    _ = recording.anonymized(by: drivers.compactMap(\.anonymizer))
}

/// The embedded rig that has everything.
let demo = try? LocalRig(recording: "demo")

/// A recording from an untrusted source, through its replay, the evaluation and the report.
func fuzzReplay(_ bytes: [UInt8]) {
    guard let recording = try? Recording(parsing: bytes, file: ""), let demo else { return }
    guard let assessment = try? LocalRig(demo, on: recording).assess() else { return }
    precondition(assessment.sensors.count <= 8192, "more sensors than its drivers may list")
    precondition((0...2).contains(assessment.exitStatus), "a status that is none")
    precondition((try? JSONEncoder().encode(Report(assessment))) != nil, "a report that is no JSON")
}

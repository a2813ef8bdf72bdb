@testable import Evdev

/// What sysfs and the node of an input device say: a bitmap, the state of an axis, and events.
func fuzzInputDevice(_ bytes: [UInt8]) {
    if let bitmap = CapabilityBitmap(bytes) { _ = bitmap.motionAxes }
    _ = AxisState(bytes)
    for event in InputEvent.events(parsing: bytes) {
        _ = (event.axis, event.endsReport, event.reportsLoss, event.isTimestamp)
    }
}

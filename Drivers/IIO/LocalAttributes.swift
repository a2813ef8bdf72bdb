package import DriverKit
package import Readiness
internal import SystemPackage

/// The attributes of one local device, as files.
package struct LocalAttributes: AttributeReader {
    private let device: IIODevice
    private let world: any World

    package init(_ device: IIODevice, in world: any World) {
        self.device = device
        self.world = world
    }

    package func read(_ attribute: String) throws(DriverError) -> [UInt8] {
        // The kernel returns a page at most.
        try world.contents(of: device.path.appending(attribute), limit: 4096)
    }

    package func place(of attribute: String) -> String { device.path.appending(attribute).string }

    package func format(of value: String) -> SampleFormat? {
        guard device.attributes.contains("scan_elements"), value.hasSuffix("_raw") else { return nil }
        return (try? read("scan_elements/\(value.dropLast(4))_type")).flatMap { SampleFormat($0) }
    }

    package func isCaptured() -> Bool {
        let folder = device.attributes.contains("buffer") ? "buffer" : "buffer0"
        return (try? read("\(folder)/enable")).flatMap { AttributeValue($0) }?.number == 1
    }

    package func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? {
        guard kind == .accelerometer else { return nil }
        return device.udev["ACCEL_MOUNT_MATRIX"].map { ("udev's ACCEL_MOUNT_MATRIX", Array($0.utf8)) }
    }
}

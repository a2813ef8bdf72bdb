internal import DriverKit
internal import IIO
internal import SystemPackage

/// The attributes of a device that a capture has set, with their previous contents.
struct DeviceSettings: ~Copyable {
    private let folder: FilePath
    private let world: any World
    private let hardware: any CaptureHardware
    private var before: [(attribute: String, value: String)] = []

    init(of device: IIODevice, in world: any World, _ hardware: any CaptureHardware) {
        folder = device.path
        self.world = world
        self.hardware = hardware
    }

    /// Saves an attribute's contents, because other code changes it.
    mutating func keep(_ attribute: String) {
        guard !before.contains(where: { $0.attribute == attribute }),
            let bytes = try? world.contents(of: folder.appending(attribute), limit: 4096)
        else { return }
        before.append((attribute, String(decoding: bytes.prefix { $0 != 10 && $0 != 0 }, as: UTF8.self)))
    }

    /// Sets an attribute and saves its previous contents.
    mutating func set(_ attribute: String, to value: String) throws(DriverError) {
        keep(attribute)
        try hardware.write(value, to: folder.appending(attribute))
    }

    /// Restores the previous contents, last first; what cannot be restored was removed with its device.
    consuming func restore() {
        for (attribute, value) in before.reversed() {
            let path = folder.appending(attribute)
            let now = (try? world.contents(of: path, limit: 4096)).map {
                String(decoding: $0.prefix { $0 != 10 && $0 != 0 }, as: UTF8.self)
            }
            // An empty attribute is restored by an empty line.
            if now != value { try? hardware.write(value + "\n", to: path) }
        }
    }
}

package import DriverKit
internal import IIO
internal import SystemPackage

/// A chip that tells what its bearer does.
///
/// Source: kernel ABI `sysfs-bus-iio`, `in_activity_…_input`: how sure the chip is, in per cent.
package struct ActivityChannels: Sendable {
    /// What a chip can tell apart.
    package enum Activity: String, CaseIterable, Sendable {
        case still, walking, jogging, running

        var attribute: String { "in_activity_\(rawValue)_input" }
    }

    private let folder: FilePath
    private let activities: [Activity]
    private let world: any World

    /// The first chip in bus order that has such channels; nil where none is listed.
    package init?(in world: any World) throws(DriverError) {
        for path in try IIODevice.paths(in: world) {
            guard let names = try? world.entries(of: path) else { continue }
            let found = Activity.allCases.filter { names.contains($0.attribute) }
            guard !found.isEmpty else { continue }
            folder = path
            activities = found
            self.world = world
            return
        }
        return nil
    }

    /// How sure the chip is of each activity that it knows, 0 to 100; may block for as long as its bus lets it.
    package func confidences() throws(DriverError) -> [Activity: Double] {
        var confidences: [Activity: Double] = [:]
        for activity in activities {
            let path = folder.appending(activity.attribute)
            let bytes = try world.contents(of: path, limit: 4096)
            guard let value = AttributeValue(bytes), 0...100 ~= value.number else {
                throw DriverError(.malformed, subject: path.string, detail: "is no confidence: \(quoted(bytes))")
            }
            confidences[activity] = value.number
        }
        return confidences
    }
}

package import DriverKit
internal import IIO
internal import SystemPackage

/// A chip that reports its bearer's activity.
///
/// Source: kernel ABI `sysfs-bus-iio`, `in_activity_…_input`: the chip's confidence, in percent.
package struct ActivityChannels: Sendable {
    /// The activities that a chip can distinguish.
    package enum Activity: String, CaseIterable, Sendable {
        case still, walking, jogging, running

        var attribute: String { "in_activity_\(rawValue)_input" }
    }

    private let folder: FilePath
    private let activities: [Activity]
    private let world: any World

    /// The first chip in bus order that has such channels; nil if none is listed.
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

    /// The chip's confidence in each activity that it knows, 0 to 100; may block as long as its bus does.
    package func confidences() throws(DriverError) -> [Activity: Double] {
        var confidences: [Activity: Double] = [:]
        for activity in activities {
            let path = folder.appending(activity.attribute)
            let bytes = try world.contents(of: path, limit: 4096)
            guard let value = AttributeValue(bytes), 0...100 ~= value.number else {
                throw DriverError(.malformed, subject: path.string, detail: "not a confidence: \(quoted(bytes))")
            }
            confidences[activity] = value.number
        }
        return confidences
    }
}

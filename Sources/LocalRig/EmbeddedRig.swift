package import Recording

/// The recordings that are part of this module, made on real kernel drivers.
package enum EmbeddedRig: String, CaseIterable {
    /// Everything there, and an ordinary user who may use it.
    case demo
    /// Bluetooth blocked by software, a receiver without a fix, no gyroscope.
    case fieldKit = "field-kit"
    /// A hub that gives no sample, nodes that the user may not read, a chip without driver, a receiver without gpsd.
    case prototypeBoard = "prototype-board"

    /// The names.
    package static var names: [String] { allCases.map { $0.rawValue } }

    /// The names on one line.
    ///
    /// Part of every call's options, so without the standard library's joining, which is generic.
    package static func names(partedBy separator: String) -> String {
        var line = ""
        for name in names { line += line.isEmpty ? name : separator + name }
        return line
    }

    private var bytes: [UInt8] {
        switch self {
        case .demo: PackageResources.demo_jsonl
        case .fieldKit: PackageResources.field_kit_jsonl
        case .prototypeBoard: PackageResources.prototype_board_jsonl
        }
    }

    /// The recording.
    package func recording() throws(LocalRigError) -> Recording {
        do throws(RecordingError) {
            return try Recording(parsing: bytes, file: rawValue)
        } catch {
            throw LocalRigError(.internalFault, "the embedded rig \(error)")
        }
    }
}

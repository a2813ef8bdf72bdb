import Recording

/// The rigs that the binary carries with it: recordings made on real kernel drivers.
enum EmbeddedRig: String, CaseIterable {
    case demo

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    private var text: String {
        switch self {
        case .demo: demoRecording
        }
    }

    /// The recording.
    func recording() throws -> Recording {
        do {
            return try Recording(parsing: Array(text.utf8), file: rawValue)
        } catch {
            throw Failure(.software, "the embedded rig \(error)")
        }
    }
}

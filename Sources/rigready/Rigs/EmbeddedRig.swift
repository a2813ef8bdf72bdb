import Recording

/// The rigs that the binary carries with it: recordings made on real kernel drivers.
enum EmbeddedRig: String, CaseIterable {
    case demo

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    private var bytes: [UInt8] {
        switch self {
        case .demo: PackageResources.demo_jsonl
        }
    }

    /// The recording.
    func recording() throws -> Recording {
        do {
            return try Recording(parsing: bytes, file: rawValue)
        } catch {
            throw Failure(.software, "the embedded rig \(error)")
        }
    }
}

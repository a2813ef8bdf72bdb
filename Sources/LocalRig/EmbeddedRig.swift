/// The recordings in this module, made with real kernel drivers.
package enum EmbeddedRig: String, CaseIterable {
    /// Every kind of sensor, and an ordinary user with access.
    case demo
    /// Bluetooth soft blocked, a receiver without a fix, no gyroscope.
    case fieldKit = "field-kit"
    /// A hub without samples, nodes that the user may not read, a chip without a driver, a receiver without gpsd.
    case prototypeBoard = "prototype-board"

    package static var names: [String] { allCases.map(\.rawValue) }

    private var bytes: [UInt8] {
        switch self {
        case .demo: PackageResources.demo_jsonl
        case .fieldKit: PackageResources.field_kit_jsonl
        case .prototypeBoard: PackageResources.prototype_board_jsonl
        }
    }

    package func recording() throws(LocalRigError) -> Recording { try recording(of: bytes) }

    /// Another recording of the same rig, which holds ten seconds of its hub, its controller and its receiver; nil if
    /// nothing was captured from it.
    ///
    /// It stands alone, so that a check of the rig does not read a capture.
    package func capture() throws(LocalRigError) -> Recording? {
        self == .demo ? try recording(of: PackageResources.demo_capture_jsonl_gz) : nil
    }

    private func recording(of bytes: [UInt8]) throws(LocalRigError) -> Recording {
        try LocalRigError.wrapping(.internalFault) {
            try Recording(parsing: bytes, file: "the embedded rig \(rawValue)")
        }
    }
}

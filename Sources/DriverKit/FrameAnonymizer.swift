/// What tells, in the frames of a driver's conversations, whose rig it is and where it stands.
///
/// Anonymous recordings ask it about received frames of its endpoints. Everything else in a recording, and frames of
/// endpoints that no anonymizer covers, is cleaned of what is known as text: addresses, names and serial numbers.
public protocol FrameAnonymizer: Sendable {
    /// Whether an endpoint is one of this driver's, by its description.
    func covers(_ endpoint: String) -> Bool
    /// The originals in a frame that are replaced wherever they stand in the recording.
    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData]
    /// The frames of one conversation without what is personal, as many as were given.
    ///
    /// A value may lie across the border of two frames. The result must replay to the same verdicts.
    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]]
}

/// An original that tells whose rig it is.
public enum PersonalData: Sendable, Equatable {
    /// A hardware address, most significant byte first.
    case address([UInt8])
    /// The name or address of a machine.
    case host(String)
}

/// The invented values of one recording: each original has one, wherever it stands.
public protocol Pseudonymizer: Sendable {
    /// The invented hardware address of another.
    func pseudonym(of address: [UInt8]) -> [UInt8]
    /// The frames with every known original replaced, also where it lies across their borders.
    func replacing(inStream frames: [[UInt8]]) -> [[UInt8]]
}

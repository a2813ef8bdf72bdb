/// Removes what reveals the owner and place of a rig from the frames of a driver's conversations.
///
/// Called for received frames of its endpoints when a recording is anonymized. In everything else of a recording, and
/// in frames of endpoints that no anonymizer covers, known text is replaced: addresses, names and serial numbers.
public protocol FrameAnonymizer: Sendable {
    /// Whether an endpoint is one of this driver's, by its description.
    func covers(_ endpoint: String) -> Bool
    /// The originals in a frame that are to be replaced everywhere in the recording.
    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData]
    /// The frames of one conversation without personal data, as many as were given.
    ///
    /// A value may span two frames. The result must replay to the same verdicts.
    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]]
}

/// An original that reveals whose rig it is.
public enum PersonalData: Sendable, Equatable {
    /// A hardware address, most significant byte first.
    case address([UInt8])
    /// The name or address of a machine.
    case host(String)
}

/// The invented values of one recording: each original has one, wherever it occurs.
public protocol Pseudonymizer: Sendable {
    /// The invented hardware address for an original.
    func pseudonym(of address: [UInt8]) -> [UInt8]
    /// The frames with every known original replaced, even if it spans two frames.
    func replacing(inStream frames: [[UInt8]]) -> [[UInt8]]
}

public import SystemPackage

/// A conversation in which a peer announces changes by itself, as far as a recording of events needs to know it.
public struct EventFeed: Sendable {
    /// Who announces.
    public var endpoint: Endpoint
    /// What is sent first to a peer that announces nothing unasked; empty for none.
    public var request: [UInt8]
    /// What is sent last, so that the peer is left as it was; empty for none.
    public var farewell: [UInt8]
    /// The folder that is there once the kernel has loaded what serves the endpoint, which opening it would load; nil
    /// where opening it changes nothing.
    public var folder: FilePath?

    /// Names a feed.
    public init(_ endpoint: Endpoint, request: [UInt8] = [], farewell: [UInt8] = [], folder: FilePath? = nil) {
        self.endpoint = endpoint
        self.request = request
        self.farewell = farewell
        self.folder = folder
    }
}

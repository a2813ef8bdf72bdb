/// What a driver can converse with.
///
/// An open value: each driver names its own, and opens them in `Driver.openChannel`.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The protocol that it speaks, such as `gpsd`; one driver's own.
    public let kind: String
    /// Where it is, in the kind's own words, such as `HOST:PORT`; empty where a machine has one of it.
    public let address: String
    /// The endpoint as a person would name it.
    ///
    /// Recordings name it so too, so a kind's form of it never changes.
    public let description: String

    /// Whether each answer depends on the request before it alone, so that a replay finds it by the request.
    public let isStateless: Bool

    /// Names an endpoint; without a name of its own it is called `KIND at ADDRESS`, or `KIND`.
    public init(_ kind: String, at address: String = "", named name: String? = nil, isStateless: Bool = false) {
        self.isStateless = isStateless
        self.kind = kind
        self.address = address
        description = name ?? (address.isEmpty ? kind : "\(kind) at \(address)")
    }

    /// What udev announces of the drivers' `eventSubsystems`; takes nothing.
    ///
    /// A frame is one event, as lines `KEY=VALUE` in the order of their keys, parted by `\n`.
    public static let uevents = Endpoint("udev", named: "udev's events")
}

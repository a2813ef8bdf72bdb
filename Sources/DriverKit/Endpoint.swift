/// What a driver can communicate with.
///
/// Not a closed enumeration: each driver defines its own, and opens them in `Driver.openChannel`.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The protocol that it speaks, such as `gpsd`; it belongs to one driver.
    public let kind: String
    /// The address in the format of the kind, such as `HOST:PORT`; empty if a machine has only one.
    public let address: String
    /// The endpoint as shown to users.
    ///
    /// Recordings use it too, so the format of a kind never changes.
    public let description: String

    /// Whether each answer depends only on the request before it, so that a replay finds it by the request.
    public let isStateless: Bool

    /// Makes an endpoint; the default name is `KIND at ADDRESS`, or `KIND`.
    public init(_ kind: String, at address: String = "", named name: String? = nil, isStateless: Bool = false) {
        self.isStateless = isStateless
        self.kind = kind
        self.address = address
        description = name ?? (address.isEmpty ? kind : "\(kind) at \(address)")
    }

    /// udev's events of the drivers' `eventSubsystems`; nothing can be sent.
    ///
    /// A frame is one event, as lines `KEY=VALUE` in the order of their keys, separated by `\n`.
    public static let uevents = Endpoint("udev", named: "udev's events")
}

/// One observation that a finding rests on.
public struct Evidence: Sendable, Hashable, Codable {
    /// The key of the sensor observed.
    public var sensor: String?
    /// The file, node or peer that it comes from.
    public var path: String?
    /// The name of the error number, such as `EACCES`.
    public var errno: String?
    /// The peer's own message, or what was read.
    public var said: String

    /// Creates a piece of evidence.
    public init(sensor: String? = nil, path: String? = nil, errno: String? = nil, said: String) {
        self.sensor = sensor
        self.path = path
        self.errno = errno
        self.said = said
    }
}

/// One thing that was seen and that a finding rests on.
public struct Evidence: Sendable, Hashable, Codable {
    /// The key of the sensor it was seen at.
    public var sensor: String?
    /// The file, node or peer that said it.
    public var path: String?
    /// The name of the error number, such as `EACCES`.
    public var errno: String?
    /// The peer's own words, or what was read.
    public var said: String

    /// Makes a piece of evidence.
    public init(sensor: String? = nil, path: String? = nil, errno: String? = nil, said: String) {
        self.sensor = sensor
        self.path = path
        self.errno = errno
        self.said = said
    }
}

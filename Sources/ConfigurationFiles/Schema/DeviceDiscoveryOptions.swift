/// When device discovery scans; without effect on verdicts.
///
/// Source: MOVE SDK, "MoveOptions", DeviceDiscovery.
public struct DeviceDiscoveryOptions: Sendable, Equatable {
    /// Seconds before the first scan of a trip; at least 120.
    public var startDelay: Double = 120
    /// Duration of a scan in seconds.
    public var duration: Double = 10
    /// Seconds between scans.
    public var interval: Double = 300
    /// Whether a scan ends at the first registered device.
    public var stopScanOnFirstDiscovered: Bool = false
    /// Accepted, as in the newest documentation.
    public var ensureSynced: Bool = false

    /// Creates the defaults.
    public init() {}

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = ["startDelay", "duration", "interval", "stopScanOnFirstDiscovered", "ensureSynced"]
        let found = try node.mapping(of: "options of device discovery", keys: keys.map { [$0] })
        if let node = found["startDelay"]?.value {
            startDelay = try node.number(expected: "at least 120 seconds") { $0 >= 120 }
        }
        let positive = "a number of seconds above 0"
        if let node = found["duration"]?.value { duration = try node.number(expected: positive) { $0 > 0 } }
        if let node = found["interval"]?.value { interval = try node.number(expected: positive) { $0 > 0 } }
        if let node = found["stopScanOnFirstDiscovered"]?.value { stopScanOnFirstDiscovered = try node.bool() }
        if let node = found["ensureSynced"]?.value { ensureSynced = try node.bool() }
    }
}

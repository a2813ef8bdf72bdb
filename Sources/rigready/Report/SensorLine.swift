import Readiness

/// A sensor as the contract prints it.
struct SensorLine: Encodable {
    var key: String
    var kind: String
    var name: String
    var driver: String
    @Report.Nullable var path: String?
    @Report.Nullable var label: String?
    var availability: String
    var access: String
    @Report.Nullable var detail: String?
    @Report.Nullable var reading: ReadingLine?

    init(_ sensor: Sensor) {
        key = sensor.key
        kind = sensor.kind.id
        name = sensor.name
        driver = sensor.driver
        path = sensor.path
        label = sensor.label
        availability = sensor.availability.id
        access = sensor.access.rawValue
        detail = sensor.detail
        reading = sensor.reading.map(ReadingLine.init)
    }
}

/// A reading as the contract prints it, each kind with its own keys.
struct ReadingLine: Encodable {
    let reading: Reading

    init(_ reading: Reading) { self.reading = reading }

    func encode(to encoder: any Encoder) throws {
        switch reading {
        case .axes(let axes):
            try Axes(
                x: axes.x?.rounded9, y: axes.y?.rounded9, z: axes.z?.rounded9, unit: axes.unit.rawValue
            ).encode(to: encoder)
        case .steps(let steps): try Steps(steps: steps).encode(to: encoder)
        case .adapter(let adapter):
            try Adapter(
                state: adapter.state.id, address: adapter.address, softBlocked: adapter.softBlocked,
                hardBlocked: adapter.hardBlocked
            ).encode(to: encoder)
        case .position(let position):
            try Position(
                fix: position.fix.rawValue, latitude: position.latitude, longitude: position.longitude,
                altitude: position.altitude, horizontalError: position.horizontalError,
                satellitesUsed: position.satellitesUsed,
                ageSeconds: position.ageSeconds.map { ($0 * 1000).rounded() / 1000 },
                simulated: position.simulated
            ).encode(to: encoder)
        }
    }

    private struct Axes: Encodable {
        @Report.Nullable var x: Double?
        @Report.Nullable var y: Double?
        @Report.Nullable var z: Double?
        var unit: String
    }
    private struct Steps: Encodable {
        var steps: UInt64
    }
    private struct Adapter: Encodable {
        var state: String
        @Report.Nullable var address: String?
        @Report.Nullable var softBlocked: Bool?
        @Report.Nullable var hardBlocked: Bool?
    }
    private struct Position: Encodable {
        var fix: String
        @Report.Nullable var latitude: Double?
        @Report.Nullable var longitude: Double?
        @Report.Nullable var altitude: Double?
        @Report.Nullable var horizontalError: Double?
        @Report.Nullable var satellitesUsed: Int?
        @Report.Nullable var ageSeconds: Double?
        var simulated: Bool
    }
}

extension Double {
    /// The number without the noise beyond its ninth decimal, which no sensor measures.
    fileprivate var rounded9: Double { abs(self) < 1e6 ? (self * 1e9).rounded() / 1e9 : self }
}

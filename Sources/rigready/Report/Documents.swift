import Readiness
import Rendering

/// The document `rigready.sensors/1`.
struct SensorsReport: Encodable {
    var schema = "rigready.sensors/1"
    var sensors: [SensorLine]
}

/// The document `rigready.services/1`.
struct ServicesReport: Encodable {
    struct Line: Encodable {
        var id: String
        @Nullable var parent: String?
        var required: [String]
        var optional: [String]
    }
    var schema = "rigready.services/1"
    var rules: String
    var services: [Line]
}

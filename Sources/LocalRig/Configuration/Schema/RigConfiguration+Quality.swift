internal import Measurement
internal import Readiness

extension RigConfiguration {
    /// The kinds whose quality can be demanded, with what can be demanded of each.
    private static let qualityKeys: [(kind: SensorKind, keys: [String])] = [
        (.accelerometer, ["minimumRate", "maximumNoise", "maximumNoiseDensity", "gravityWithin", "maximumGaps"]),
        (.gyroscope, ["minimumRate", "maximumNoise", "maximumNoiseDensity", "maximumGaps"]),
        (.locationReceiver, ["minimumRate", "maximumGaps"]),
    ]

    mutating func readQuality(_ node: ConfigurationNode) throws(ConfigurationError) {
        let kinds = Self.qualityKeys.map { [$0.kind.id] }
        let found = try node.mapping(of: "kinds whose quality is measured, or profile", keys: [["profile"]] + kinds)
        profile = try found["profile"].map { (entry) throws(ConfigurationError) in
            try entry.value.word(among: QualityProfile.allCases)
        }
        for (kind, keys) in Self.qualityKeys {
            guard let node = found[kind.id]?.value else { continue }
            quality[kind] = try QualityDemand(node, keys, of: kind)
        }
    }
}

extension QualityDemand {
    fileprivate init(
        _ node: ConfigurationNode, _ keys: [String], of kind: SensorKind
    ) throws(ConfigurationError) {
        let found = try node.mapping(of: "limits of a \(kind.title)", keys: keys.map { [$0] })
        func positive(_ key: String, _ expected: String) throws(ConfigurationError) -> Double? {
            guard let node = found[key]?.value else { return nil }
            return try node.number(expected: expected) { $0 > 0 }
        }
        let unit = kind.unit
        self.init(
            minimumRate: try positive("minimumRate", "a rate in Hz above 0"),
            maximumNoise: try positive("maximumNoise", "a standard deviation in \(unit) above 0"),
            maximumNoiseDensity: try positive("maximumNoiseDensity", "a noise density in \(unit)/√Hz above 0"),
            gravityWithin: try positive("gravityWithin", "a difference in m/s² above 0"))
        guard let node = found["maximumGaps"]?.value else { return }
        maximumGaps = try node.integer("a whole number of gaps", in: 0...1_000_000)
    }
}

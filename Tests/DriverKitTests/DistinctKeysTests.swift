import DriverKit
import Readiness
import Testing

@Suite struct DistinctKeysTests {
    private func keys(_ sensors: [(SensorKind, String)]) -> Enumeration {
        var enumeration = Enumeration(
            candidates: sensors.map { kind, key in
                SensorCandidate(
                    Sensor(
                        key: key, kind: kind, name: "chip", driver: "test",
                        evidence: [Evidence(sensor: key, path: "/sys", said: "a"), Evidence(path: "/proc", said: "b")]))
            })
        enumeration.makeKeysDistinct()
        return enumeration
    }

    @Test func `the second of a kind and key is numbered, also in its evidence and a notice`() {
        let enumeration = keys([(.gyroscope, "a"), (.gyroscope, "a"), (.accelerometer, "a"), (.gyroscope, "a")])
        #expect(enumeration.candidates.map(\.sensor.key) == ["a", "a#2", "a", "a#3"])
        #expect(enumeration.notices.map(\.sensor) == ["a#2", "a#3"])
        #expect(enumeration.notices.allSatisfy { $0.id == .duplicateKey })
        #expect(enumeration.candidates[1].sensor.evidence.map(\.sensor) == ["a#2", nil])
    }

    @Test func `a key that looks like a numbered one stays distinct too`() {
        let enumeration = keys([(.gyroscope, "a#2"), (.gyroscope, "a"), (.gyroscope, "a"), (.gyroscope, "a#2")])
        #expect(enumeration.candidates.map(\.sensor.key) == ["a#2", "a", "a#3", "a#2#2"])
    }
}

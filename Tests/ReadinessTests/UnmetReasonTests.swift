import Testing
@testable import Readiness

/// When two reasons are the same.
@Suite struct UnmetReasonTests {
    private static let remedy = Remedy.advice("replace it")

    private func reason(
        _ cause: Cause = .silent, key: String = "a", name: String = "chip", driver: String = "test",
        detail: String = "chip: no answer", remedies: [Remedy] = [remedy]
    ) -> UnmetReason {
        var sensor = Sensor(
            key: key, kind: .gyroscope, name: name, driver: driver, availability: .unavailable(cause))
        (sensor.detail, sensor.remedies) = (detail, remedies)
        return UnmetReason(sensor)
    }

    @Test func `reasons are the same if all that is told of them is`() {
        #expect(reason() == reason())
        let others = [
            reason(.faulty), reason(key: "b"), reason(name: "chi"), reason(driver: "other"),
            reason(detail: "chip: no answer in time"), reason(remedies: []),
        ]
        for other in others { #expect(other != reason()) }
    }
}

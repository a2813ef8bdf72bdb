import Readiness
import Rendering
import Testing

/// Times for people: with their date, unless it is that of another time.
@Suite struct TimeWordsTests {
    @Test(arguments: [
        ("2026-11-21T00:00:00.000Z", "00:00:00", "00:00:00.000"),
        ("2026-11-21T23:59:59.999Z", "23:59:59", "23:59:59.999"),
        ("2026-11-20T23:59:59.999Z", "2026-11-20T23:59:59Z", "2026-11-20T23:59:59.999Z"),
        ("2026-11-22T00:00:00.000Z", "2026-11-22T00:00:00Z", "2026-11-22T00:00:00.000Z"),
        ("2025-11-21T09:00:00.000Z", "2025-11-21T09:00:00Z", "2025-11-21T09:00:00.000Z"),
    ])
    func `a time of another day has its date`(time: String, words: String, exact: String) {
        for other in ["2026-11-21T00:00:00.000Z", "2026-11-21T23:59:59.999Z"] {
            #expect(time.timeWords(onDayOf: other) == words)
            #expect(time.timeWords(onDayOf: other, showsMilliseconds: true) == exact)
        }
    }

    @Test func `without another time it has its date`() {
        #expect("2026-11-21T09:00:00.250Z".timeWords() == "2026-11-21T09:00:00Z")
    }

    @Test(arguments: ["", "yesterday", "2026-11-21T09:00:00Z", "2026-02-30T09:00:00.000Z"])
    func `what is no time stays as it is`(text: String) { #expect(text.timeWords(onDayOf: text) == text) }

    @Test(arguments: [(Double?.none, "3D fix ±4.0 m"), (6.04, "3D fix ±4.0 m, 6.0 s old")])
    func `only a summary that is read at once has the age of a fix`(age: Double?, words: String) {
        var sensor = Sensor(key: "k", kind: .locationReceiver, name: "u-blox", driver: "gpsd", access: .readable)
        sensor.reading = .position(PositionReading(fix: .threeDimensional, horizontalError: 4, ageSeconds: age))
        #expect(sensor.summary == words)
        #expect(sensor.lastingSummary == "3D fix ±4.0 m")
    }
}

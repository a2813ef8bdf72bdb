import Readiness
import Testing

@Suite("Accepted findings") struct AcceptedFindingTests {
    @Test(arguments: [
        ("2026-12-31", true), ("2024-02-29", true), ("2000-02-29", true), ("2026-02-29", false), ("1900-02-29", false),
        ("2026-13-01", false), ("2026-00-10", false), ("2026-04-31", false), ("2026-4-30", false), ("26-04-30", false),
        ("2026-12-31T00", false), ("2026/12/31", false), ("+026-12-31", false), ("", false), ("２０２６-12-31", false),
    ])
    func `a day is one of the calendar`(text: String, isDay: Bool) {
        #expect((CalendarDay(text) != nil) == isDay)
    }

    @Test(arguments: [
        ("gyroscope", true), ("gyroscope.absent", true), ("location.noFix", true), ("gyroscope.", false),
        ("gyroscope.nothing", false), ("absent", false), ("", false), (".absent", false), ("gyroscope.absent.x", false),
    ])
    func `a finding is a requirement, with or without a cause`(id: String, isFinding: Bool) throws {
        let day = try #require(CalendarDay("2026-12-31"))
        let finding = AcceptedFinding(id: id, reason: "r", until: day)
        #expect((finding != nil) == isFinding)
        if let finding { #expect(finding.id == id) }
    }

    /// Assesses one accelerometer, and nothing else of which anything is known, on a day.
    private func assess(_ ids: [String], on day: String) throws -> Assessment {
        let until = try #require(CalendarDay("2026-06-15"))
        let accepted = try ids.map { try #require(AcceptedFinding(id: $0, reason: "r", until: until)) }
        let inventory = Inventory(depth: .sample, sensors: [JudgementTests.sensor("a", .accelerometer)])
        let rig = RigIdentity(
            host: "h", kernel: "k", boot: "b", source: .live, user: "u", uid: 1, takenAt: day)
        return Assessment(
            inventory, of: rig, authorizations: JudgementTests.allowed(),
            request: Assessment.Request(.all, accepted: accepted))
    }

    @Test(arguments: [
        ("2026-06-15T23:59:59.999Z", true), ("2026-06-16T00:00:00.000Z", false), ("2025-01-01", true), ("", false),
        ("soon", false),
    ])
    func `a finding is accepted until the end of its day, by the time of the probe`(day: String, isAccepted: Bool)
        throws
    {
        let all = try assess(["location", "gyroscope", "healthStore"], on: day)
        #expect(all.accepted.map(\.state) == Array(repeating: isAccepted ? .applies : .expired, count: 3))
        #expect((all.status == .ready) == isAccepted)
        #expect(all.services.contains { $0.verdict == .fails })
        #expect((all.tally.accepted > 0) == isAccepted)
    }

    @Test func `a blocked service counts apart only if its own findings are accepted too`() throws {
        let parent = try assess(["location"], on: "2026-01-01")
        #expect(parent.acceptedServices.contains(.driving) && parent.acceptedServices.contains(.places))
        // It is blocked by driving, and lacks a gyroscope itself.
        #expect(!parent.acceptedServices.contains(.distractionFreeDriving))
        let both = try assess(["location", "gyroscope.absent"], on: "2026-01-01")
        #expect(both.acceptedServices.contains(.distractionFreeDriving))
        let other = try assess(["location", "gyroscope.silent"], on: "2026-01-01")
        #expect(!other.acceptedServices.contains(.distractionFreeDriving))
        #expect(other.accepted.map(\.state) == [.applies, .unused])
    }
}

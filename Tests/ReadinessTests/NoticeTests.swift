import Readiness
import Testing

/// The remarks of an assessment on its rig, and whose causes a blocked service has.
@Suite struct NoticeTests {
    private func assess(uid: UInt32 = 1000, rules version: RulesVersion = .newest) throws -> Assessment {
        let rig = RigIdentity(host: "h", kernel: "k", boot: "b", source: .live, user: "u", uid: uid, takenAt: "")
        // All that driving needs but a location.
        let inventory = Inventory(
            depth: .sample,
            sensors: [JudgementTests.sensor("a", .accelerometer), JudgementTests.sensor("g", .gyroscope)])
        return try Assessment(
            inventory, of: rig, authorizations: JudgementTests.allowed(),
            request: Assessment.Request(Evaluator(rules: Rules(version))))
    }

    @Test(arguments: [(0, true), (1, false), (1000, false)] as [(UInt32, Bool)])
    func `only the superuser is told that the access of others is not shown`(uid: UInt32, isTold: Bool) throws {
        #expect(try assess(uid: uid).notices.contains { $0.id == .superuser } == isTold)
    }

    @Test func `rules under which one service stops the others say so, and with what error`() throws {
        #expect(try !assess().notices.contains { $0.id == .wholeSession })
        let notice = try #require(try assess(rules: .version1).notices.first { $0.id == .wholeSession })
        let words = "rules 1.x: one failing service stops every other; the session is in the error"
        #expect(notice.detail.hasPrefix(words), "\(notice.detail)")
    }

    @Test func `a service that the session blocks has the causes of those that fail`() throws {
        let assessment = try assess(rules: .version1)
        let failing = assessment.services.filter { $0.verdict == .fails }.map(\.service)
        let blocked = assessment.services.filter { $0.blockedBy == .session }
        #expect(failing.contains(.driving) && !blocked.isEmpty)
        for result in blocked { #expect(assessment.culprits(of: result).map(\.service) == failing) }
    }

    @Test(arguments: [
        ("ttyACM0", "a"), ("/dev/ttyACM0", "a"), ("/dev/ttyACM1", "b"), ("gps-b", "b"), ("gps-", nil), ("chip", nil),
        ("/dev/tty", nil), ("", nil),
    ])
    func `a pin means a sensor by its path, or by the beginning of its key`(pin: String, key: String?) {
        func receiver(_ key: String, path: String) -> Sensor {
            var sensor = JudgementTests.sensor("gps-\(key)", .locationReceiver)
            sensor.path = path
            return sensor
        }
        let inventory = Inventory(
            depth: .sample, sensors: [receiver("a", path: "ttyACM0"), receiver("b", path: "ttyACM1")])
        #expect(inventory.sensor(.locationReceiver, pinnedAs: pin)?.key == key.map { "gps-\($0)" })
    }
}

import LocalRig
import DriverKit
import Readiness
import PhoneKit
import PhoneSupport
import Support
import Synchronization
import Testing

/// An app's view of its rig, and how it follows the files.
@Suite(.timeLimit(.minutes(10)))
struct LiveRigTests {
    /// The states that observers received, in order.
    private final class Diary: Sendable {
        private let entries = Mutex<[PhoneState]>([])
        var states: [PhoneState] { entries.withLock { $0 } }
        func add(_ state: PhoneState) { entries.withLock { $0.append(state) } }
    }

    @Test func `the state is what the files say at once`() throws {
        let test = try TestRig(grants: "location: when-in-use\nmotion: denied\n", policy: "bluetooth: restricted\n")
        let state = test.state
        #expect(state.authorizations.location.status == .authorizedWhenInUse)
        #expect(state.authorizations.motion.status == .denied)
        #expect(state.authorizations.bluetooth.status == .restricted)
        #expect(state.authorizations.health.status == .allowed && state.authorizations.health.from == .access)
        #expect(state.isInForeground && state.question == nil)
        #expect(state.configuration.purposes.texts[.location] == "To recognise trips.")
    }

    @Test(arguments: ["nowhere:x", "[::1", ":1"])
    func `an address of gpsd that is none leaves all rights unknown, and is reported`(address: String) {
        final class Complaints: Sendable { let lines = Mutex<[String]>([]) }
        let complaints = Complaints()
        var options = LocalRig.Options(of: { $0 == "RIGREADY_GPSD" ? address : nil })
        options.grantFile = "/nowhere/permissions.yaml"
        let rig = PhoneRig(
            PhoneSettings(
                options, prompter: Nobody(), complain: { line in complaints.lines.withLock { $0.append(line) } }))
        defer { rig.end() }
        let rights = rig.state.authorizations
        #expect(rights.location.status == .indeterminate && rights.motion.status == .indeterminate)
        #expect(rights.bluetooth.status == .indeterminate && rights.health.status == .indeterminate)
        let lines = complaints.lines.withLock { $0 }
        #expect(lines.contains { $0.contains("RIGREADY_GPSD takes HOST:PORT, not '\(address)'") }, "\(lines)")
    }

    @Test func `a change of a file is reported once and in order`() throws {
        let test = try TestRig(grants: "location: not-determined\n")
        let diary = Diary()
        let observation = test.rig.observe { diary.add($0) }
        #expect(test.state.authorizations.location.status == .notDetermined)
        for (text, file) in [
            ("location: always\n", "permissions.yaml"), ("location: {maximum: when-in-use}\n", "policy.yaml"),
            ("location: denied\n", "permissions.yaml"),
        ] {
            let count = diary.states.count
            try test.write(text, to: file)
            #expect(eventually { diary.states.count > count })
        }
        #expect(
            diary.states.map(\.authorizations.location.status) == [.authorizedAlways, .authorizedWhenInUse, .denied])
        observation.cancel()
        try test.write("location: always\n", to: "permissions.yaml")
        #expect(eventually { test.state.authorizations.location.status == .authorizedWhenInUse })
        #expect(diary.states.count == 3)
    }

    @Test func `a session that is not the seat's active one is in the background`() throws {
        let test = try TestRig(session: "3", sessions: ["3": "UID=0\nACTIVE=1\n", "4": "ACTIVE=0\n"])
        #expect(test.state.isInForeground)
        try test.write("UID=0\nACTIVE=0\nSTATE=online\n", to: "sessions/3")
        #expect(eventually { !test.state.isInForeground })
        try test.write("UID=0\nACTIVE=1\n", to: "sessions/3")
        #expect(eventually { test.state.isInForeground })
        #expect(!(try TestRig(sessions: ["3": "ACTIVE=1\n"])).state.isInForeground)
        #expect(!(try TestRig(session: "9", sessions: ["3": "ACTIVE=1\n"])).state.isInForeground)
        #expect(try TestRig(session: "9").state.isInForeground)
        #expect(!(try TestRig(sessions: [:])).state.isInForeground)
        // A folder that a package installed, on a machine that systemd does not run.
        let bare = try TestRig(sessions: [:])
        try #require(removeFolder("\(bare.folder)/system"))
        try bare.write("location: denied\n", to: "permissions.yaml")
        #expect(eventually { bare.state.authorizations.location.status == .denied })
        #expect(bare.state.isInForeground)
    }

    @Test func `observers are not called while only readings change`() throws {
        let counter = Counter()
        let test = try TestRig(drivers: [counter])
        let diary = Diary()
        let observation = test.rig.observe { diary.add($0) }
        defer { observation.cancel() }
        #expect(test.state.inventory.sensors.count == 1)
        for probes in 2...4 { #expect(eventually { counter.report() && counter.probes >= probes }) }
        #expect(test.state.inventory.sensors.first?.availability == .available)
        counter.switchOff()
        #expect(
            eventually {
                counter.report()
                    && diary.states.last?.inventory.sensors.first?.availability
                        == .unavailable(.poweredOff)
            })
        #expect(diary.states.count == 1)
    }

    @Test(.waits) func `temporary full accuracy expires by itself`() throws {
        let now = GrantContext.live
        let test = try TestRig(
            grants: """
                location:
                  status: when-in-use
                  accuracy: reduced
                  fullAccuracy: {purpose: "directions", boot: "\(now.boot)", until: \(now.uptime + 4)}
                """)
        let diary = Diary()
        let observation = test.rig.observe { diary.add($0) }
        defer { observation.cancel() }
        #expect(test.state.authorizations.accuracy.status == .fullAccuracy)
        #expect(eventually { diary.states.last?.authorizations.accuracy.status == .reducedAccuracy })
    }

    @Test func `a permission granted once expires with its session`() throws {
        let now = GrantContext.live
        let test = try TestRig(
            grants: "location: {status: when-in-use, once: {boot: \"\(now.boot)\", session: \"4\"}}\n",
            session: "3", sessions: ["3": "ACTIVE=1\n", "4": "ACTIVE=0\n"])
        #expect(test.state.authorizations.location.status == .authorizedWhenInUse)
        try #require(unlinkFile("\(test.folder)/sessions/4"))
        #expect(eventually { test.state.authorizations.location.status == .notDetermined })
    }

    @Test func `an invalid file changes nothing and is reported once`() throws {
        let test = try TestRig(grants: "location: always\n")
        #expect(test.state.authorizations.location.status == .authorizedAlways)
        try test.write("location: {status: \n", to: "permissions.yaml")
        #expect(eventually { test.complaints.count == 1 })
        #expect(test.complaints.first?.contains("permissions.yaml:") == true)
        try test.write("motion: denied\n", to: "policy.yaml")
        #expect(eventually { test.complaints.count == 2 })
        #expect(test.state.authorizations.location.status == .authorizedAlways)
        try test.write("location: denied\n", to: "permissions.yaml")
        #expect(eventually { test.state.authorizations.location.status == .denied })
    }

    @Test func `an invalid file at the start forbids`() throws {
        let state = try TestRig(grants: "location: perhaps\n").state
        #expect(state.authorizations.location.status == .denied && state.authorizations.motion.status == .denied)
        let owned = try TestRig(grants: "location: always\n", policy: "location: perhaps\n").state
        #expect(owned.authorizations.location.status == .restricted)
    }

}

/// A step counter whose count and details are another at each probe.
private final class Counter: Driver, Session, Sendable {
    private struct State {
        var monitor: ChangeMonitor?
        var probes = 0
        var availability = Availability.available
    }
    private let state = Mutex(State())

    var name: String { "counter" }
    var kinds: [SensorKind] { [.stepCounter] }
    var causeWhenStalled: Cause { .indeterminate }
    var probes: Int { state.withLock(\.probes) }

    var changeSources: [ChangeSource] {
        @Sendable func source(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            state.withLock { $0.monitor = monitor }
            monitor.wait(.seconds(3600))
        }
        return [source]
    }

    /// Announces a change; false while nothing is watched.
    func report() -> Bool {
        let monitor = state.withLock(\.monitor)
        monitor?.report(.findings)
        return monitor != nil
    }

    func switchOff() { state.withLock { $0.availability = .unavailable(.poweredOff) } }

    func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session { self }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        let sensor = state.withLock { state in
            state.probes += 1
            return Sensor(
                key: "a", kind: .stepCounter, name: "counter", driver: "counter", availability: state.availability,
                access: .readable, detail: "probe \(state.probes)", reading: .steps(UInt64(state.probes)))
        }
        return Enumeration(candidates: [SensorCandidate(sensor)], access: .readable)
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        Finding(candidate.sensor)
    }

    func cancel() {}
}

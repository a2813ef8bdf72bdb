import DriverKit
import Support
import SystemPackage
import PhoneKit
import Testing

/// The capture nodes of ALSA: absent, denied and unknown are never confused.
@Suite struct MicrophoneTests {
    private func world(_ nodes: [String: Bool]) -> FakeWorld {
        var world = FakeWorld()
        for (name, readable) in nodes {
            world.nodes["/dev/snd/\(name)"] = NodeStatus(owner: 0, group: 29, mode: 0o660, readable: readable)
        }
        return world
    }

    @Test func `one readable node is enough`() {
        let state = ServiceState.microphone(
            in: world(["pcmC0D0c": false, "pcmC1D0c": true, "pcmC1D0p": false, "controlC0": false, "timer": true]))
        #expect(state == ServiceState(.granted, evidence: "/dev/snd/pcmC1D0c may be read"))
    }

    @Test func `nodes of others are denied`() {
        let state = ServiceState.microphone(in: world(["pcmC0D0c": false, "pcmC0D0p": true]))
        #expect(state.status == .denied && state.evidence == "/dev/snd/pcmC0D0c: rw-rw---- 0:29")
        #expect(state.remedies.count == 1)
    }

    @Test(arguments: [
        [:], ["pcmC0D0p": true, "controlC0": true], ["pcmCD0c": true, "pcmC0c": true, "pcmCxD0c": true],
    ])
    func `without a capture node there is none`(nodes: [String: Bool]) {
        #expect(ServiceState.microphone(in: world(nodes)).status == .absent)
    }

    @Test func `an unreadable folder leaves it unknown`() {
        var world = FakeWorld()
        world.errors["/dev/snd"] = .permissionDenied
        #expect(
            ServiceState.microphone(in: world)
                == ServiceState(.unknown, evidence: "/dev/snd: Permission denied (EACCES)"))
    }

    @Test func `an unplugged one is ignored`() {
        #expect(ServiceState.microphone(in: PulledOut()).status == .absent)
    }
}

/// A world whose only node disappears before it is examined.
private struct PulledOut: World {
    func now() -> Instant { .now }
    func account() throws(DriverError) -> Account { .current }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] { [] }
    func modules(for alias: String) throws(DriverError) -> [String] { [] }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { ["pcmC0D0c"] }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        throw DriverError(errno: .noSuchFileOrDirectory, subject: file.string)
    }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        throw DriverError(errno: .noSuchFileOrDirectory, subject: node.string)
    }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        throw DriverError(errno: .connectionRefused, subject: endpoint.description)
    }
}

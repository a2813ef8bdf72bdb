import IIO
import GPSD
import Bluetooth
import DriverKit
import Readiness
import LocalRig
import Support
import SystemPackage
import Testing

@Suite struct ReplayTests {
    static let header = Recording.Header(
        version: "0", takenAt: "2026-01-01T00:00:00.000Z", host: "h", kernel: "k", boot: "b", user: "u", uid: 1,
        drivers: ["d"], depth: .sample, gpsd: "127.0.0.1:2947", iio: [], timeout: 2, waitFix: 0,
        criteria: FixCriteria())

    /// Sends a world every kind of query and returns the answers as text.
    private func interview(_ world: any World) -> [String] {
        func told(_ body: () throws -> String) -> String {
            do { return try body() } catch { return "\(error) \((error as? DriverError)?.code.rawValue ?? "?")" }
        }
        let gpsd = Endpoint.gpsd(host: "x", port: 1)
        return [
            told { try world.devices(in: "iio").map(\.string).joined() },
            told { try world.modules(for: "i2c:bmi160").joined() },
            told { try world.entries(of: "/sys").joined(separator: ",") },
            told { "\(try world.contents(of: "/sys/a", limit: 9))" },
            told { "\(try world.contents(of: "/sys/b", limit: 9))" },
            told { "\(try world.contents(of: "/sys/c", limit: 9))" },
            told { try world.status(of: "/sys/a").clause },
            told { "\(try world.status(of: "/dev/x"))" },
            told { "\(try world.status(of: "/dev/y"))" },
            told {
                let account = try world.account()
                return "\(account.user) \(account.groups.sorted()) \(account.loginGroups?.sorted() ?? [])"
            },
            told {
                let channel = try world.channel(to: gpsd, until: world.now())
                try channel.send([1, 2], until: world.now())
                let first = try channel.receive(limit: 9, until: world.now())
                let second = try channel.receive(limit: 9, until: world.now())
                return "\(first) \(second)"
            },
            told { "\(try world.channel(to: .management, until: world.now()))" },
        ]
    }

    private var rig: FakeWorld {
        var world = FakeWorld()
        world.devices["iio"] = ["/sys/devices/x"]
        world.modules["i2c:bmi160"] = ["kernel/bmi160_i2c.ko"]
        world.add("/sys/a", "text\n")
        world.files["/sys/b"] = [0, 0xff, 0x80]
        world.errors["/sys/c"] = .ioError
        world.nodes["/dev/x"] = NodeStatus(
            owner: 1, group: 2, mode: 0o660, entries: [AccessEntry(.user(7), 4)], readable: true, right: .group(2),
            changed: 1_700_000_000_123_456_789)
        world.nodes["/dev/y"] = NodeStatus(owner: 1, group: 2, mode: 0o660, readable: false, refusal: .notPermitted)
        world.user = Account(user: 1001, groups: [1001, 5], loginGroups: [1001, 5, 900])
        // A function, since the compiler of Swift 6.3 crashes on a closure here.
        @Sendable func peer() throws(DriverError) -> any Channel {
            FakeChannel(greeting: [[7]]) { frame in [frame + [3]] }
        }
        world.channels[.gpsd(host: "x", port: 1)] = peer
        return world
    }

    @Test func `a replay answers as the rig did`() throws {
        let recorder = Recorder()
        let live = interview(RecordingWorld(rig, of: "d", to: recorder))
        let recording = Recording(header: Self.header, from: recorder)
        let read = try Recording(parsing: recording.serialized(), file: "f")
        #expect(read == recording)
        #expect(interview(ReplayWorld(read, of: "d")) == live)
    }

    @Test func `an unasked question has no recorded answer`() throws {
        let recorder = Recorder()
        _ = interview(RecordingWorld(rig, of: "d", to: recorder))
        let world = ReplayWorld(Recording(header: Self.header, from: recorder), of: "d")
        #expect(throws: DriverError(.notRecorded, subject: "/sys/z")) { try world.contents(of: "/sys/z", limit: 1) }
        let stranger = ReplayWorld(Recording(header: Self.header, from: recorder), of: "other")
        #expect(throws: DriverError(.notRecorded, subject: "/sys/a")) { try stranger.contents(of: "/sys/a", limit: 9) }
    }

    @Test func `repeated questions are answered in order`() throws {
        let recorder = Recorder()
        var world = rig
        for text in ["1", "2", "3"] {
            world.add("/sys/a", text)
            _ = try RecordingWorld(world, of: "d", to: recorder).contents(of: "/sys/a", limit: 9)
        }
        let replay = ReplayWorld(Recording(header: Self.header, from: recorder), of: "d")
        let answers = try (0..<4).map { _ in
            String(decoding: try replay.contents(of: "/sys/a", limit: 9), as: UTF8.self)
        }
        #expect(answers == ["1", "2", "3", "3"])
    }

    @Test func `answers of a context are found by the request, whichever connection they came over`() throws {
        let context = Endpoint.iio(uri: "ip:x")
        var world = FakeWorld()
        @Sendable func peer() throws(DriverError) -> any Channel { FakeChannel { frame in [frame + [9]] } }
        world.channels[context] = peer
        let recorder = Recorder()
        let live = RecordingWorld(world, of: "d", to: recorder)
        let first = try live.channel(to: context, until: .now)
        let second = try live.channel(to: context, until: .now)
        try first.send([1], until: .now)
        try second.send([2], until: .now)
        _ = try second.receive(limit: 9, until: .now)
        _ = try first.receive(limit: 9, until: .now)
        let replay = try ReplayWorld(Recording(header: Self.header, from: recorder), of: "d")
            .channel(to: context, until: .now)
        for request in [1, 2, 1] as [UInt8] {
            try replay.send([request], until: .now)
            #expect(try replay.receive(limit: 9, until: .now) == [request, 9])
        }
        #expect(throws: DriverError(.notRecorded, subject: "ip:x")) { try replay.send([3], until: .now) }
    }

    @Test func `damaged recordings never crash`() throws {
        let recorder = Recorder()
        _ = interview(RecordingWorld(rig, of: "d", to: recorder))
        let bytes = Recording(header: Self.header, from: recorder).serialized()
        var readable = 0
        for mutant in Mutations(of: [bytes], count: 5000) {
            guard let recording = try? Recording(parsing: mutant, file: "f") else { continue }
            readable += 1
            _ = interview(ReplayWorld(recording, of: "d"))
        }
        #expect(readable > 0)
    }
}

import Readiness
import GPSD
import Bluetooth
import DriverKit
import Glibc
import Support
import Synchronization
import Testing

@testable import Recording

@Suite struct EventTests {
    private static let gpsd = Endpoint.gpsd(host: "x", port: 1)

    private func listen(_ feeds: [EventFeed], in world: FakeWorld, seconds: Double = 5) -> [Entry] {
        let recorder = Recorder()
        let listener = EventListener(to: feeds, in: world, recorder: recorder)
        listener.start(until: Instant.now.advanced(bySeconds: seconds))
        for _ in 0..<5000 where !listener.isDone { usleep(1000) }
        #expect(listener.isDone)
        return recorder.entries
    }

    @Test func eventsAreRecordedWithTheirTimeUnderTheirOwnName() throws {
        @Sendable func peer() throws(DriverError) -> any Channel {
            FakeChannel(ends: true) { frame in
                String(decoding: frame, as: UTF8.self).contains("true") ? [Array("{}\n".utf8), Array("[]\n".utf8)] : []
            }
        }
        @Sendable func radios() throws(DriverError) -> any Channel {
            FakeChannel(greeting: [[1, 0, 0, 0, 2, 0, 0, 0]])
        }
        var world = FakeWorld()
        world.channels = [Self.gpsd: peer, .rfkill: radios]
        world.add("/sys/class/rfkill/rfkill0/type", "bluetooth\n")
        let entries = listen(
            GPSDDriver(host: "x", port: 1).eventFeeds(.sample) + BluetoothDriver().eventFeeds(.sample)
                + [EventFeed(.uevents)], in: world)
        #expect(entries.allSatisfy { $0.driver == "events" && $0.flaw == nil && $0.at >= 0 })
        func frames(_ endpoint: Endpoint) -> [[UInt8]] {
            entries.filter { $0.ask == .receive && $0.of == endpoint.description && $0.error == nil }.compactMap(
                \.bytes)
        }
        #expect(frames(Self.gpsd) == [Array("{}\n".utf8), Array("[]\n".utf8)])
        #expect(frames(.rfkill) == [[1, 0, 0, 0, 2, 0, 0, 0]])
        // Each conversation tells why it ended, and gpsd is left as it was found.
        let ends = entries.compactMap { entry in entry.error.map { "\(entry.of) \($0.code)" } }
        #expect(ends.contains("gpsd at x:1 closed") && ends.contains("/dev/rfkill timedOut"))
        #expect(ends.contains("udev's events refused"))
        #expect(entries.last { $0.ask == .send }?.text?.contains("false") == true)
        // Without the kernel's Bluetooth its socket is left alone.
        #expect(!entries.contains { $0.of == Endpoint.management.description })
    }

    @Test func aRecordingWithEventsIsReadBackAndReplaysAsBefore() throws {
        let demo = try Demo.recording()
        var recording = demo
        var event = Entry(driver: "events", at: 3, ask: .receive, of: Endpoint.uevents.description, channel: 9)
        event.bytes = Array("ACTION=add\nDEVNAME=iio:device0".utf8)
        recording.entries.append(event)
        let read = try Recording(parsing: recording.serialized(compressed: true), file: "f")
        #expect(read == recording)
        #expect(try read.inventory().verdicts == demo.inventory().verdicts)
    }

    @Test func aSourceThatBabblesIsCutOff() {
        final class Babbler: Channel {
            func send(_ frame: [UInt8], until deadline: Instant) {}
            func receive(limit: Int, until deadline: Instant) -> [UInt8] { [UInt8](repeating: 7, count: limit) }
            func cancel() {}
        }
        @Sendable func babbler() throws(DriverError) -> any Channel { Babbler() }
        var world = FakeWorld()
        world.channels = [Self.gpsd: babbler]
        let entries = listen([EventFeed(Self.gpsd)], in: world)
        #expect(entries.reduce(0) { $0 + ($1.bytes?.count ?? 0) } < 32 << 20)
    }
}

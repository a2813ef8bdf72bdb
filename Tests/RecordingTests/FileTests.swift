import DriverKit
import Glibc
import Support
import Testing
@testable import LocalRig

/// Files that are complete, cut, damaged, compressed, or not recordings.
@Suite struct FileTests {
    private func flaw(_ bytes: [UInt8]) -> RecordingError? {
        #expect(throws: RecordingError.self) { try Recording(parsing: bytes, file: "f") }
    }

    @Test(arguments: [
        ("", 1, "an empty file"),
        ("{}\n", 1, "expected the header"),
        ("nonsense\n", 1, "expected the header"),
        (#"{"schema": "rigready.recording/2"}"# + "\n", 1, "rigready.recording/2, which a newer version"),
        (#"{"schema": "rigready.recording/0"}"# + "\n", 1, "expected the header"),
        (#"{"schema": "rigready.report/1"}"# + "\n", 1, "expected the header"),
        (#"{"schema": "rigready.recording/1"}"# + "\n", 1, "is missing"),
    ])
    func `an invalid header is reported by line`(text: String, line: Int, words: String) {
        let error = flaw(Array(text.utf8))
        #expect(error?.line == line)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `events that an older version recorded are skipped`() throws {
        let demo = try Demo.recording()
        var old = demo
        var event = Entry(driver: "events", at: 3, ask: .receive, of: Endpoint.uevents.description, channel: 9)
        event.bytes = Array("ACTION=add\nDEVNAME=iio:device0".utf8)
        old.entries.insert(event, at: old.entries.count / 2)
        old.entries.append(event)
        #expect(try Recording(parsing: old.serialized(compressed: true), file: "f") == demo)
    }

    @Test func `a truncated file is reported by line`() throws {
        let bytes = try Demo.bytes()
        let lines = bytes.count { $0 == UInt8(ascii: "\n") }
        // Without its last newline it is still complete.
        #expect(throws: Never.self) { try Recording(parsing: Array(bytes.dropLast()), file: "f") }
        for cut in [1, 2, 5, 400, 5000, bytes.count / 2] {
            let rest = Array(bytes.dropLast(1 + cut))
            #expect(flaw(rest)?.line == rest.count { $0 == UInt8(ascii: "\n") } + 1)
        }
        // Also between two lines, where no line shows it.
        let end = try #require(bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")))
        let error = flaw(Array(bytes[...end]))
        #expect(error?.line == lines - 1)
        #expect(error?.message.contains("the file ends after \(lines - 2)") == true)
    }

    @Test(arguments: [
        (#"{"ask":"entries","at":0,"driver":"d","of":"/sys"}"#, "\"list\" is missing"),
        (#"{"ask":"contents","at":0,"driver":"d","of":"/sys","base64":"%%"}"#, "not base 64"),
        (#"{"ask":"contents","at":0,"driver":"d","of":"/sys"}"#, "\"text\" or \"base64\" is missing"),
        (#"{"ask":"status","at":0,"driver":"d","of":"/sys"}"#, "\"node\" is missing"),
        (#"{"ask":"receive","at":0,"driver":"d","of":"/sys","text":""}"#, "\"channel\" is missing"),
        (#"{"ask":"devices","at":0,"driver":"d","of":"x","list":["\u0000"]}"#, "zero byte"),
        (#"{"ask":"guess","at":0,"driver":"d","of":"/sys"}"#, "\"ask\" has a value that is not known"),
        (#"{"ask":"entries","at":"0","driver":"d","of":"/sys"}"#, "\"at\" is of another type"),
        (#"{"ask":"entries","at":0,"driver":"d","of":"/sys""#, "not valid JSON"),
        ("", "not valid JSON"),
        (#"{"ask":"devices","at":0,"driver":"d","of":""# + String(repeating: "x", count: 5000) + #""}"#, "4096 bytes"),
        (#"{"ask":"devices","list":["# + String(repeating: "0,", count: 30_000), "20000 values"),
    ])
    func `a damaged line is reported with what it lacks`(line: String, words: String) throws {
        var recording = try Demo.recording()
        recording.entries = []
        let header = String(decoding: recording.serialized(), as: UTF8.self).replacing(
            #""entries":0"#, with: #""entries":1"#)
        let error = flaw(Array("\(header)\(line)\n".utf8))
        #expect(error?.line == 2)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    // MARK: - Compressed

    @Test func `a compressed file is read whatever its name`() throws {
        let demo = try Demo.recording()
        let packed = demo.serialized(compressed: true)
        #expect(packed.starts(with: [0x1f, 0x8b]))
        #expect(packed.count < demo.serialized().count / 4)
        #expect(try Recording(parsing: packed, file: "f") == demo)
        // Two members in a row are one file to gzip.
        let bytes = demo.serialized()
        let halves = Gzip.deflated(Array(bytes.prefix(999))) + Gzip.deflated(Array(bytes.dropFirst(999)))
        #expect(try Recording(parsing: halves, file: "f") == demo)
    }

    @Test func `a compressed file that is truncated or damaged is reported`() throws {
        let packed = try Demo.recording().serialized(compressed: true)
        for count in stride(from: 2, to: packed.count - 1, by: 97) {
            let error = flaw(Array(packed.prefix(count)))
            #expect(error?.message.contains("truncated") == true && error?.line == nil)
        }
        for place in stride(from: 20, to: packed.count - 8, by: 97) {
            var damaged = packed
            damaged[place] ^= 0x55
            #expect(flaw(damaged) != nil)
        }
        #expect(flaw(packed + [1, 2, 3])?.description.contains("f: expected a recording, found") == true)
    }

    @Test func `a compressed file is unpacked only up to its bound`() {
        let bomb = Gzip.deflated([UInt8](repeating: 0x20, count: 70 << 20))
        #expect(bomb.count < 100_000)
        #expect(flaw(bomb)?.message.contains("larger than 8 MiB") == true)
    }

    @Test func `the clock of a recording begins with it`() {
        let recorder = Recorder()
        #expect(RecordingWorld(FakeWorld(), of: "d", to: recorder).now() == recorder.began)
        usleep(2000)
        #expect(RecordingWorld(FakeWorld(), of: "d", to: recorder, isLate: true).now() > recorder.began)
    }

    @Test func `a recorder takes no more than a file may hold`() throws {
        let recorder = Recorder()
        let text = String(repeating: "\"", count: 64 << 10)
        for _ in 0..<100 {
            var entry = Entry(driver: "d", at: 0, ask: .receive, of: "x", channel: 0)
            let number = recorder.ask(entry, until: .infinity)
            entry.text = text
            _ = recorder.answer(number, entry)
        }
        // Each quotation mark takes two bytes.
        #expect(40...60 ~= recorder.leftOut)
        let recording = Recording(header: try Demo.recording().header, from: recorder)
        #expect(recording.entries.count + recorder.leftOut >= 100)
        #expect(try Recording(parsing: recording.serialized(), file: "f") == recording)
    }

    @Test func `the most sensors that a driver lists fit into a file, each with a sample`() {
        let recorder = Recorder()
        let device = "/sys/devices/platform/soc/i2c-1/1-0068/iio:device"
        for sensor in 0..<Enumeration.candidateLimit {
            for value in 0..<28 {
                let file = "\(device)\(sensor)/in_anglvel_scale_\(value)"
                var entry = Entry(driver: "iio", at: 0, ask: .contents, of: file)
                let number = recorder.ask(entry, until: .infinity)
                entry.text = "-0.000598"
                _ = recorder.answer(number, entry)
            }
        }
        #expect(recorder.leftOut == 0 && recorder.entries.count == 28 * Enumeration.candidateLimit)
    }

    @Test func `a recorder leaves out what no file may hold`() {
        let recorder = Recorder()
        var entry = Entry(driver: "d", at: 0, ask: .entries, of: "/x")
        let number = recorder.ask(entry, until: .infinity)
        entry.list = [String](repeating: "x", count: 30_000)
        _ = recorder.answer(number, entry)
        let long = String(repeating: "x", count: 5000)
        _ = recorder.ask(Entry(driver: "d", at: 0, ask: .entries, of: long), until: .infinity)
        #expect(recorder.leftOut == 2 && recorder.entries.isEmpty)
    }

    @Test func `a recorder takes as many entries as a file may hold, and no more`() {
        let recorder = Recorder()
        for _ in 0...Recording.entryLimit {
            _ = recorder.ask(Entry(driver: "d", at: 0, ask: .entries, of: "/x"), until: .infinity)
        }
        #expect(recorder.leftOut == 1)
    }

    @Test func `what was never answered is where the wait for it ended`() {
        let recorder = Recorder()
        _ = recorder.ask(Entry(driver: "d", at: 0, ask: .entries, of: "/x"), until: .infinity)
        usleep(1000)
        let entry = recorder.entries.first
        #expect(entry?.failure?.code == .unanswered)
        #expect(entry.map { $0.at >= 0.001 } == true)
    }

    @Test func `an answer has the time at which it came`() {
        let recorder = Recorder()
        var entry = Entry(driver: "d", at: 0, ask: .entries, of: "/x")
        let number = recorder.ask(entry, until: .infinity)
        usleep(1000)
        entry.list = ["a"]
        let time = recorder.answer(number, entry)
        #expect(time >= 0.001 && recorder.entries.map(\.at) == [time])
    }

    @Test func `a file has as many names as it may, and no more`() throws {
        var recording = try Demo.recording()
        var names = Entry(driver: "d", at: 0, ask: .entries, of: "/x")
        names.list = [String](repeating: "x", count: 10_000)
        var bytes = Entry(driver: "d", at: 0, ask: .contents, of: "/x")
        bytes.text = "x"
        recording.entries = [Entry](repeating: names, count: Recording.nameLimit / 10_000) + [bytes]
        #expect(try Recording(parsing: recording.serialized(), file: "f").entries.count == recording.entries.count)
        names.list = ["x"]
        recording.entries.append(names)
        let error = flaw(recording.serialized())
        #expect(error?.line == recording.entries.count + 1)
        #expect(error?.message.hasSuffix("more than \(Recording.nameLimit) names in all") == true)
    }

    @Test(arguments: [(-1, 0), (2, 2), (1e9, 3600), (.infinity, 0), (.nan, 0)] as [(Double, Double)])
    func `a probe's time in a file is within bounds`(stated: Double, read: Double) throws {
        var recording = try Demo.recording()
        recording.header.timeout = stated
        #expect(try Recording(parsing: recording.serialized(), file: "f").header.timeout == read)
    }
}

import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

/// libiio 1.x's binary protocol, with peers that follow it or violate it.
@Suite struct BinaryServerTests {
    private static var soon: Instant { .now.advanced(bySeconds: 10) }

    /// An answer: no client, a response, its code, its data.
    private static func answer(_ data: [UInt8]) -> [UInt8] {
        IIODCommand(.response, code: Int32(data.count)).frame + data
    }

    /// A peer with the context of `RemoteTests`, which answers each attribute by its numbers.
    private static func peer(
        _ reply: @escaping @Sendable (IIODCommand) -> [UInt8]? = { _ in nil }
    ) -> FakeChannel {
        FakeChannel { frame in
            guard let command = IIODCommand(frame) else { return [] }
            if let own = reply(command) { return [own] }
            if command.operation == .print { return [answer(Array(RemoteTests.xml.utf8))] }
            return [answer(Array("\(command.operation.rawValue) \(command.device) \(command.code)\0".utf8))]
        }
    }

    private static func channel(_ line: FakeChannel) throws -> IIODBinaryChannel {
        try IIODBinaryChannel(IIODConversation(over: line, RemoteTests.uri), until: soon)
    }

    private static func ask(_ request: String, _ channel: IIODBinaryChannel) throws(DriverError) -> String {
        try channel.send(Array(request.utf8), until: soon)
        return String(decoding: try channel.receive(limit: 4096, until: soon), as: UTF8.self)
    }

    @Test func `the description comes once, and attributes are asked for by their numbers`() throws {
        let line = Self.peer()
        let channel = try Self.channel(line)
        #expect(try Self.ask("xml", channel) == RemoteTests.xml)
        // The first device; the attribute's number above the channel's.
        #expect(try Self.ask("read iio:device0 in:accel_x raw", channel) == "6 0 0")
        #expect(try Self.ask("read iio:device0 in:accel_x scale", channel) == "6 0 65536")
        #expect(try Self.ask("read iio:device0 in:anglvel_z scale", channel) == "6 0 \(65536 + 2)")
        #expect(try Self.ask("read iio:device0 in:steps en", channel) == "6 0 \(65536 + 3)")
        #expect(try Self.ask("read iio:device0 - in_mount_matrix", channel) == "3 0 0")
        #expect(line.sent.filter { $0[2] == 1 }.count == 1)
    }

    @Test func `an attribute's number is its place, after those that cannot be asked for too`() throws {
        let xml = """
            <context><device id="iio:device0" name="chip"><channel id="accel_x" type="input"><attribute />\
            <attribute name="scale" filename="a" /><attribute name="scale" filename="b" /><attribute name="raw" />\
            </channel><attribute /><attribute name="own" /></device></context>
            """
        let channel = try Self.channel(Self.peer { $0.operation == .print ? Self.answer(Array(xml.utf8)) : nil })
        #expect(try Self.ask("read iio:device0 in:accel_x raw", channel) == "6 0 \(3 * 65536)")
        #expect(try Self.ask("read iio:device0 - own", channel) == "3 0 65536")
    }

    @Test(arguments: ["read trigger1 - name", "read iio:device0 out:accel_x raw", "read iio:device0 in:accel_x none"])
    func `what the description does not have is not asked for`(request: String) throws {
        let line = Self.peer()
        let channel = try Self.channel(line)
        let error = #expect(throws: DriverError.self) { try Self.ask(request, channel) }
        #expect(error?.errno == .noSuchFileOrDirectory && line.sent.count == 1)
    }

    @Test func `an error number is that of the attribute`() throws {
        let channel = try Self.channel(
            Self.peer { $0.operation == .print ? nil : IIODCommand(.response, code: -22).frame })
        let error = #expect(throws: DriverError.self) { try Self.ask("read iio:device0 in:accel_x raw", channel) }
        #expect(error?.errno == .invalidArgument && error?.code == .refused)
    }

    @Test func `answers may be cut anywhere`() throws {
        let bytes = Self.answer(Array("100\0".utf8)) + IIODCommand(.response, code: -2).frame + Self.answer([])
        for cut in 0...bytes.count {
            var answers = IIODAnswers(from: RemoteTests.uri)
            answers.add(Array(bytes.prefix(cut)))
            var taken: [IIODAnswers.IIODAnswer] = []
            while let answer = try answers.response(limit: 64) { taken.append(answer) }
            answers.add(Array(bytes.dropFirst(cut)))
            while let answer = try answers.response(limit: 64) { taken.append(answer) }
            #expect(taken == [.bytes(Array("100\0".utf8)), .failure(2), .bytes([])])
        }
    }

    @Test(arguments: [
        [1, 0, 0, 0, 1, 0, 0, 0], [0, 0, 1, 0, 1, 0, 0, 0], [0, 0, 0, 0, 65, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 128],
        Array("HTTP/1.1".utf8),
    ])
    func `what is no answer, or too long, is malformed`(head: [UInt8]) throws {
        var answers = IIODAnswers(from: RemoteTests.uri)
        answers.add(head)
        #expect(throws: DriverError.self) { try answers.response(limit: 64) }
    }

    @Test func `a peer that closes the connection at a text request is asked in binary`() throws {
        nonisolated(unsafe) var lines = [FakeChannel(ends: true), Self.peer()]
        let channel = try openIIOD(RemoteTests.uri, until: Self.soon) { () throws(DriverError) in
            unsafe lines.removeFirst()
        }
        #expect(channel is IIODBinaryChannel)
        // One that has said something is no such peer.
        nonisolated(unsafe) var connections = 0
        let error = #expect(throws: DriverError.self) {
            try openIIOD(RemoteTests.uri, until: Self.soon) { () throws(DriverError) in
                unsafe connections += 1
                return FakeChannel(greeting: [Array("0.2".utf8)], ends: true)
            }
        }
        #expect(unsafe error?.code == .closed && connections == 1)
    }

    @Test func `a peer that closes the connection in both protocols is unreachable, in those words`() throws {
        let error = #expect(throws: DriverError.self) {
            try openIIOD(RemoteTests.uri, until: Self.soon) { () throws(DriverError) in FakeChannel(ends: true) }
        }
        #expect(error?.code == .closed)
        #expect(
            error?.detail
                == "the server closes the connection on requests in both iiod protocols (text and libiio 1.x)")
        let probe = try DriverHarness(
            RemoteIIODriver(uri: RemoteTests.uri), ListeningWorld(world: FakeWorld(), refusal: error))
        #expect(probe.enumeration.obstacles.allSatisfy { $0.cause == .unreachable })
        #expect(probe.enumeration.obstacles.first?.remedy?.contains("is iiod, of libiio 1.0 or older") == true)
    }

    @Test func `a compressed description is read, and a damaged one is not`() throws {
        // `zstd` of a context without devices.
        let xml = "<context name=\"local\"></context>"
        let frame: [UInt8] =
            [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(xml.utf8.count)]
            + [UInt8((xml.utf8.count << 3 | 1) & 0xff), UInt8((xml.utf8.count << 3) >> 8), 0] + Array(xml.utf8)
        let channel = try Self.channel(Self.peer { _ in Self.answer(frame) })
        #expect(try Self.ask("xml", channel) == xml)
        for count in 4..<frame.count {
            let error = #expect(throws: DriverError.self) {
                try Self.channel(Self.peer { _ in Self.answer(Array(frame.prefix(count))) })
            }
            #expect(error?.code == .malformed)
        }
        // One that claims four gigabytes.
        let bomb: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0xff, 0x01, 0, 0]
        let error = #expect(throws: DriverError.self) { try Self.channel(Self.peer { _ in Self.answer(bomb) }) }
        #expect(error?.code == .malformed)
    }

    @Test func `mutants of a conversation do no harm`() throws {
        let bytes = Self.answer(Array(RemoteTests.xml.utf8))
        for mutant in Mutations(of: [bytes], count: 2000) {
            _ = try? Self.channel(FakeChannel(greeting: [mutant], ends: true))
        }
    }
}

import DriverKit
import Readiness
import Support
import Testing
@testable import Bluetooth

@Suite("Kernel packets")
struct PacketTests {
    @Test func `a command is six bytes, little-endian`() {
        #expect(ManagementPacket(.readInformation, index: 0x0102).frame == hex("04 00 02 01 00 00"))
    }

    @Test(arguments: [
        "", "01", "01 00 ff ff 00", "01 00 ff ff 01 00", "01 00 00 00 00 00 00", "01 00 00 00 02 00 04 00",
    ])
    func `a packet that its length does not match is malformed`(text: String) {
        #expect(throws: DriverError.self) { _ = try ManagementReply(ManagementPacket(parsing: hex(text))) }
    }

    @Test func `controller information shorter than its fields is malformed`() throws {
        let whole = Array(Packets.information(0).dropFirst(9))
        #expect(try ControllerInformation(management: whole).isPowered)
        #expect(throws: DriverError.self) { _ = try ControllerInformation(management: Array(whole.dropLast())) }
    }

    @Test func `a list is as long as its count, and holds each controller once`() throws {
        #expect(throws: DriverError.self) { _ = try ControllerIndex.parse(extended: hex("ff ff 00 00 00 00")) }
        #expect(throws: DriverError.self) { _ = try ControllerIndex.parse(extended: hex("00")) }
        let repeated = hex("03 00") + hex("05 00 00 01  05 00 01 01  ff ff 00 01")
        #expect(try ControllerIndex.parse(extended: repeated).map(\.index) == [5])
    }

    @Test(.timeLimit(.minutes(10)))
    func `damaged packets neither crash nor show a controller twice`() {
        let seeds = [
            Packets.version, Packets.extendedList([(0, 0), (1, 1)]), Packets.list(0x03, [0, 1]),
            Packets.information(0), Packets.status(0x04, 0, 0x11), Packets.configuration(0, missing: 2),
            Packets.newSettings, Packets.deviceList([(0, 1)]), Packets.deviceInformation(0, flags: 1),
            Packets.radioEvent(1, soft: 1, hard: 0),
        ]
        for bytes in Mutations(of: seeds, count: 20_000) {
            if let packet = try? ManagementPacket(parsing: bytes) {
                #expect(packet.frame == bytes)
                if let reply = try? ManagementReply(packet) { #expect(reply.parameters.count <= bytes.count) }
            }
            for list in [
                try? ControllerIndex.parse(extended: bytes),
                try? ControllerIndex.parse(configured: bytes, unconfigured: bytes),
            ] {
                #expect(list.map { Set($0.map(\.index)).count == $0.count } ?? true)
            }
            if let information = try? ControllerInformation(management: bytes) {
                #expect(information.name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 })
            }
            _ = try? ControllerInformation(hci: bytes)
            _ = try? MissingConfiguration(management: bytes)
            if let list = try? HCIClient.parse(list: bytes) { #expect(list.count * 8 + 4 <= bytes.count) }
            if let event = RfkillEvent(parsing: bytes) {
                #expect(bytes.count >= 8 && event.state.soft == (bytes[6] != 0))
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a session with only damaged answers ends with a complete enumeration`() throws {
        let answers = [
            Packets.version, Packets.extendedList([(0, 0), (1, 1)]), Packets.information(0),
            Packets.configuration(1, missing: 2),
        ]
        var mutants = Mutations(of: answers, count: 6_000, seed: 7)
        while let first = mutants.next(), let second = mutants.next(), let third = mutants.next() {
            var rig = Rig()
            rig.list("hci0")
            // One, two or three answers are damaged; the others are intact.
            let damaged = [0x01: first, 0x3c: second, 0x04: third]
            rig.respond { request in
                let whole: [UInt8: [UInt8]] = [
                    0x01: answers[0], 0x3c: answers[1], 0x04: answers[2], 0x37: answers[3],
                ]
                let isHit = first.count & 1 << Int(request[0] & 1) != 0
                let answer = isHit ? damaged[Int(request[0])] ?? whole[request[0]] : whole[request[0]]
                return [answer ?? []]
            }
            rig.answerIoctls(second, [third])
            let enumeration = try rig.enumeration()
            #expect(Set(enumeration.sensors.map(\.key)).count == enumeration.sensors.count)
            // sysfs lists hci0, so absence is never reported, unless a packet gives hci0 a type that is ignored.
            #expect(!enumeration.obstacles.contains { $0.cause == .absent } || second.contains(2))
            for sensor in enumeration.sensors where sensor.availability == .available {
                #expect(sensor.adapter?.state == .poweredOn)
            }
        }
    }

    @Test func `an address may be the last thing in a packet`() {
        let bytes = hex("00 06 05 04 03 02 01")
        #expect(DeviceAddress(bytes, at: 1)?.description == "01:02:03:04:05:06")
        #expect(DeviceAddress(bytes, at: 2) == nil && DeviceAddress(bytes, at: -1) == nil)
    }
}

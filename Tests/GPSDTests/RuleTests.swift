import DriverKit
import Foundation
import Support
import SystemPackage
import Testing
@testable import GPSD

/// The udev rule for receivers, compared with the driver's.
@Suite struct RuleTests {
    @Test func `the rule lists what is certainly a receiver`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "udev-rules/70-rigready-gnss.rules")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let numbers = lines.compactMap { line -> String? in
            let words = line.split(separator: "\"").map(String.init)
            guard !line.hasPrefix("#"), line.contains("ATTRS{idVendor}"), words.count > 5 else { return nil }
            return "\(words[3]):\(words[5])"
        }
        #expect(Set(numbers) == Set(KnownReceiver.all.filter(\.value.isCertain).keys))
        #expect(numbers.count == Set(numbers).count)
    }

    @Test func `a local rule classifies a port`() throws {
        func receivers(_ record: String) throws -> [String?] {
            var world = FakeWorld()
            let device = "/sys/devices/platform/serial8250/tty/ttyS1"
            world.devices["tty"] = [FilePath(device)]
            world.add("\(device)/uevent", "MAJOR=4\nMINOR=65\nDEVNAME=ttyS1\n")
            world.add("/run/udev/data/c4:65", record)
            return try Port.all(in: world).map(\.receiver?.name)
        }
        #expect(try receivers("I:1\n") == [nil])
        #expect(try receivers("E:RIGREADY_RECEIVER=1\n") == ["receiver"])
        #expect(try receivers("E:ID_VENDOR_ID=1546\nE:ID_MODEL_ID=01a8\n") == ["u-blox 8"])
        #expect(try receivers("E:ID_VENDOR_ID=1546\nE:ID_MODEL_ID=01a8\nE:RIGREADY_RECEIVER=0\n") == [nil])
        #expect(try receivers("E:ID_VENDOR_ID=1546\nE:ID_MODEL_ID=01a8\nE:RIGREADY_RECEIVER=1\n") == ["u-blox 8"])
        #expect(try receivers("E:ID_MODEL=Bridge\nE:RIGREADY_RECEIVER=1\n") == ["Bridge"])
    }
}

import DriverTesting
import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

@Suite("Remedies")
struct RemedyTests {
    private static let answers: [ControllerAnswer] =
        (0...0x15).map { .refused(ManagementStatus(rawValue: $0)) }
        + [0, 1, 2, 3, 4].map { .unconfigured(missing: MissingConfiguration(rawValue: $0)) }
        + [
            Errno.permissionDenied, .notPermitted, .operationNotSupportedByDevice, .timedOut, .noFunction, .ioError,
        ].map { .failed(DriverError(errno: $0, subject: "it")) }
        + [DriverError.Code.timedOut, .closed, .malformed, .notRecorded, .cancelled, .unsupported].map {
            .failed(DriverError($0, subject: "it"))
        } + [.withheld, .unasked("why", remedies: [.advice("what")])]

    private static let switches = [
        RfkillSwitches([]), RfkillSwitches([], failure: DriverError(errno: .permissionDenied, subject: "rfkill")),
        RfkillSwitches([RfkillSwitch(number: 0, name: "hci0", soft: true, hard: false)]),
        RfkillSwitches([RfkillSwitch(number: 0, name: "hci0", soft: false, hard: true)]),
    ]

    @Test func `every unavailable controller has a cause, evidence and a remedy`() throws {
        let off = Array(Packets.information(0, current: Packets.off).dropFirst(9))
        let answers = Self.answers + [.information(try ControllerInformation(management: off))]
        for answer in answers {
            for switches in Self.switches {
                // Only what no user may query is denied before the query.
                let isUnasked = if case .unasked = answer { true } else { false }
                for access in [Access.readable, .unknown] + (isUnasked ? [.denied] : []) {
                    let sensor = Controller(
                        index: 0, key: "k", answer: answer, switches: switches, asked: .management, access: access
                    ).sensor
                    #expect(sensor.availability != .available)
                    #expect(Enumeration(searched: Evidence(said: "x")).omissions(of: [sensor]) == [], "\(answer)")
                }
            }
        }
    }

    @Test(arguments: Depth.allCases)
    func `every depth on every kind of host has a remedy for what is unknown`(depth: Depth) throws {
        let refusals: [Errno?] = [nil, .addressFamilyNotSupported, .permissionDenied, .notPermitted, .invalidArgument]
        let marks = ["", "/.dockerenv", "/run/systemd/container"]
        for refusal in refusals {
            for mark in marks {
                for (isListed, isLoaded, hasSwitch) in [
                    (true, true, false), (false, true, true), (false, false, false),
                ] {
                    for isForeign in [true, false] {
                        var rig = Rig()
                        if !isLoaded { rig.unload() }
                        if isListed { rig.list("hci0") }
                        if hasSwitch { rig.addSwitch(0, "ideapad_bluetooth") }
                        if !mark.isEmpty { rig.world.add(mark, "") }
                        if isForeign { rig.world.files["/proc/sys/net/core/dev_weight"] = nil }
                        rig.answer([])
                        if let refusal { rig.refuse(.management, refusal) }
                        // `enumeration` itself checks every scenario for it.
                        let enumeration = try rig.enumeration(depth)
                        #expect(!enumeration.obstacles.isEmpty || !enumeration.candidates.isEmpty)
                    }
                }
            }
        }
    }

    @Test func `the remedy of a controller's state can be typed`() throws {
        func remedy(_ answer: ControllerAnswer) -> String? {
            Controller(
                index: 3, key: "k", answer: answer, switches: RfkillSwitches([]), asked: .management, access: .readable
            ).sensor.remedy
        }
        #expect(remedy(.unconfigured(missing: .external)) == "sudo dmesg | grep -i bluetooth")
        // This machine has no such address, so no command can contain it.
        let unaddressed = try #require(remedy(.unconfigured(missing: .address)))
        #expect(
            unaddressed.hasPrefix("find the address ") && unaddressed.hasSuffix(": sudo btmgmt --index 3 public-addr"))
        // What is missing comes by itself; `btmgmt config` would only show it.
        #expect(remedy(.unconfigured(missing: [])) == "run again; sudo dmesg | grep -i bluetooth")
        #expect(remedy(.refused(ManagementStatus(rawValue: 3))) == "sudo dmesg | grep -i bluetooth")
        #expect(remedy(.failed(DriverError(.malformed, subject: "it"))) == "sudo dmesg | grep -i bluetooth")
        #expect(
            remedy(.failed(DriverError(errno: .operationNotSupportedByDevice, subject: "it"))) == "plug it in again")
    }
}

import Linux
import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

private var lacksSockets: Bool {
    do throws(DriverError) {
        try BluetoothDriver().openChannel(to: .management, until: .now.advanced(bySeconds: 1))?.cancel()
        return false
    } catch {
        return error.errno == .addressFamilyNotSupported
    }
}

@Suite("The live endpoints")
struct LiveTests {
    private static func world() -> LiveWorld {
        LiveWorld(drivers: [BluetoothDriver()])
    }

    @Test(arguments: [Endpoint.management, .hci, .rfkill])
    func `opening gives a channel or one of the documented refusals`(endpoint: Endpoint) throws {
        do throws(DriverError) {
            let channel = try BluetoothDriver().openChannel(to: endpoint, until: .now.advanced(bySeconds: 1))
            #expect(channel != nil)
            channel?.cancel()
        } catch {
            let documented: [Errno] = [
                .addressFamilyNotSupported, .notPermitted, .permissionDenied, .noSuchFileOrDirectory,
                .protocolNotSupported, .operationNotSupportedByDevice, .noSuchAddressOrDevice,
            ]
            #expect(error.errno.map(documented.contains) == true, "\(error)")
            #expect(error.subject == endpoint.description)
        }
    }

    @Test func `another driver's endpoint is not opened`() throws {
        #expect(try BluetoothDriver().openChannel(to: .uevents, until: .now) == nil)
    }

    @Test(arguments: Depth.allCases)
    func `this machine's enumeration is complete or gives the obstacle`(depth: Depth) throws {
        let session = BluetoothDriver().open(Self.world(), until: .now.advanced(bySeconds: 2))
        let enumeration = try session.enumeration(depth, until: .now.advanced(bySeconds: 2))
        #expect(!enumeration.candidates.isEmpty || !enumeration.obstacles.isEmpty)
        #expect(enumeration.obstacles.allSatisfy { !$0.detail.isEmpty })
        for sensor in enumeration.sensors where sensor.availability != .available { #expect(sensor.detail != nil) }
    }

    @Test(.enabled(if: lacksSockets, "this kernel has Bluetooth sockets"))
    func `missing socket support is reported with its errno, not as a denial`() throws {
        let session = BluetoothDriver().open(Self.world(), until: .now.advanced(bySeconds: 2))
        let enumeration = try session.enumeration(.sample, until: .now.advanced(bySeconds: 2))
        let evidence = enumeration.obstacles.flatMap(\.evidence) + [enumeration.accessEvidence].compactMap(\.self)
        #expect(evidence.contains { $0.errno == "EAFNOSUPPORT" })
        #expect(enumeration.access == .unknown)
        #expect(enumeration.obstacles.allSatisfy { $0.cause == .indeterminate || $0.cause == .absent })
    }

    @Test func `an ioctl that could write beyond its argument, or is neither of the two, is refused`() throws {
        var short = hex("d2 48 04 80")  // HCIGETDEVLIST
        short += hex("02 00 00 00") + [UInt8](repeating: 0, count: 8)  // room for one, asks for two
        let information = hex("d3 48 04 80") + [UInt8](repeating: 0, count: 91)
        let other = hex("c9 48 04 40") + [UInt8](repeating: 0, count: 92)  // HCIDEVUP
        let (reading, writing) = try FileDescriptor.pipe()
        try writing.close()
        let channel = HCIChannel(reading)
        for frame in [short, information, other, [], [0xd2]] {
            #expect(throws: DriverError(.unsupported, subject: "the Bluetooth HCI socket")) {
                try channel.send(frame, until: .now)
            }
        }
        // Well-formed requests reach the kernel, which has no such ioctl for a pipe.
        #expect(throws: DriverError(errno: .inappropriateIOCTLForDevice, subject: "the Bluetooth HCI socket")) {
            try channel.send(information + [0], until: .now)
        }
    }
}

import DriverKit
import Measurement
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing
@testable import GPSD

/// The measurement of receivers, beside a gpsd that is scripted.
@Suite struct MeterTests {
    private static let sensor = Sensor(
        key: "receiver", kind: .locationReceiver, name: "u-blox", driver: "gpsd", path: Recorded.path)

    private func series(
        in world: FakeWorld, report: @escaping @Sendable (MeasuringPeriod.Progress) -> Void = { _ in }
    ) throws -> PositionSeries {
        let meter = try #require(ReceiverMeter(for: [Self.sensor], at: HostPort(host: "127.0.0.1", port: 2947)))
        let period = MeasuringPeriod(seconds: 0.3, rate: nil, capacity: 100, wait: { _ in false }, report: report)
        guard case .position(let series)? = meter.series(in: world, during: period).first else {
            throw DriverError(.unsupported, subject: "no series of a receiver")
        }
        return series
    }

    @Test func `a gpsd that cannot be asked is told with what fixes it, as in a check`() throws {
        // The world has no channel to it, which is as if nobody listened.
        #expect(try remedies(in: FakeWorld()) == [.advice("install gpsd, with the package manager of this system")])
        var world = FakeWorld()
        // A closure that throws this type crashes the compiler (6.3.1); a function does not.
        @Sendable func fail() throws(DriverError) -> any Channel {
            throw DriverError(errno: .permissionDenied, subject: "gpsd")
        }
        world.channels[address.endpoint] = fail
        #expect(
            try remedies(in: world)
                == [
                    .advice(
                        "let this user connect to 127.0.0.1:2947, in the firewall or security module that forbids it")
                ])
    }

    /// systemd's RestrictAddressFamilies= returns EAFNOSUPPORT, and the control group of IPAddressDeny= EPERM.
    @Test(
        arguments: [
            (.addressFamilyNotSupported, "2", nil, "add AF_INET AF_INET6 to RestrictAddressFamilies= of the unit"),
            (
                .addressFamilyNotSupported, "2", .unit("lab.service"),
                "'[Service]' 'RestrictAddressFamilies=AF_INET AF_INET6'"
            ),
            (
                .addressFamilyNotSupported, "2", .process(7),
                "add AF_INET AF_INET6 to RestrictAddressFamilies= of the unit"
            ),
            // Without a filter the kernel lacks the family.
            (.addressFamilyNotSupported, "0", nil, "make 127.0.0.1:2947 an address of this machine"),
            (.notPermitted, "0", .unit("lab.service"), "'[Service]' IPAddressAllow=localhost"),
            (.notPermitted, "0", nil, "let this user connect to 127.0.0.1:2947"),
        ] as [(Errno, String, AccessSubject?, String)])
    func `a confinement is the reason, and what permits it the remedy`(
        errno: Errno, filter: String, subject: AccessSubject?, remedy: String
    ) throws {
        var world = FakeWorld()
        world.subject = subject
        world.add("/proc/self/status", "Name:\trigready\nSeccomp:\t\(filter)\n")
        @Sendable func fail() throws(DriverError) -> any Channel { throw DriverError(errno: errno, subject: "gpsd") }
        world.channels[address.endpoint] = fail
        let words = try remedies(in: world).map(\.words)
        #expect(words.first?.contains(remedy) == true, "\(words)")
    }

    private func remedies(in world: FakeWorld) throws -> [Remedy] {
        if case .unmeasured(_, let remedies) = try series(in: world).method { remedies } else { [] }
    }

    private var address: GPSDAddress { GPSDAddress(HostPort(host: "127.0.0.1", port: 2947), world: FakeWorld()) }

    @Test func `who waits sees the satellites that are used and the error`() throws {
        var world = FakeWorld()
        world.channels[address.endpoint] = {
            FakeChannel { _ in [Array("\(Recorded.open)\n\(Recorded.sky)\n\(Recorded.report(second: 56))\n".utf8)] }
        }
        let values = Mutex<[[Double]]>([])
        let series = try series(in: world) { progress in values.withLock { $0.append(progress.values) } }
        let error = try #require(series.positions.first?.horizontalError)
        #expect(values.withLock { $0.first } == [2, error])
    }

    @Test func `the speed of a report with a position is kept`() throws {
        var world = FakeWorld()
        let moving = Recorded.report(second: 56, more: #","eph":17.1,"speed":13.9"#)
        let without = Recorded.report(mode: 1, second: 57, more: #","speed":13.9"#)
        world.channels[address.endpoint] = {
            FakeChannel { _ in [Array("\(Recorded.open)\n\(moving)\n\(without)\n\(Recorded.report())\n".utf8)] }
        }
        let speeds = try series(in: world).positions.prefix(3).map(\.speed)
        #expect(speeds == [13.9, nil, nil])
    }
}

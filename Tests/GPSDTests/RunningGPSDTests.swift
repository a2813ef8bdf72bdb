import DriverKit
import Foundation
import GPSD
import Readiness
import Support
import Testing

/// The driver with Debian's own gpsd.
@Suite(.enabled(if: RunningGPSD.isInstalled), .timeLimit(.minutes(10)))
struct RunningGPSDTests {
    private let world = DevicelessWorld { endpoint, deadline throws(DriverError) in
        try GPSDDriver().openChannel(to: endpoint, until: deadline)
    }

    /// Probes until the receiver is in the state, at most ten seconds; returns the last probe.
    private func probe(
        _ gpsd: RunningGPSD, criteria: FixCriteria = FixCriteria(), until isExpected: (DriverHarness) -> Bool
    ) throws -> DriverHarness {
        var last = try DriverHarness(world, port: gpsd.port, criteria: criteria)
        _ = try RunningGPSD.wait(10) {
            if isExpected(last) { return true }
            last = try DriverHarness(world, port: gpsd.port, criteria: criteria)
            return isExpected(last)
        }
        return last
    }

    @Test func `without a listener it is unreachable`() throws {
        let probe = try DriverHarness(world, port: try RunningGPSD.freePort())
        #expect(probe.enumeration.obstacles.first?.cause == .unreachable)
        #expect(probe.enumeration.obstacles.first?.evidence.first?.errno == "ECONNREFUSED")
    }

    /// A descriptor that it inherited would keep another test's socket open.
    @Test func `it inherits no descriptor`() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { close(ends[0]) }
        let gpsd = try RunningGPSD(.nothing, device: false)
        defer { gpsd.stop() }
        close(ends[1])
        var state = pollfd(fd: ends[0], events: CShort(POLLIN), revents: 0)
        #expect(unsafe poll(&state, 1, 70_000) == 1 && state.revents == CShort(POLLHUP))
    }

    @Test func `running without a device, it is a completed listing`() throws {
        let gpsd = try RunningGPSD(.nothing, device: false)
        defer { gpsd.stop() }
        let enumeration = try DriverHarness(world, port: gpsd.port).enumeration
        #expect(enumeration.access == .readable && enumeration.candidates.isEmpty && enumeration.obstacles.isEmpty)
        #expect(enumeration.accessEvidence?.said.contains("gpsd release 3.") == true)
    }

    @Test func `without a fix it is no fix`() throws {
        let gpsd = try RunningGPSD(.noFix)
        defer { gpsd.stop() }
        let probe = try probe(gpsd) { $0.sensor?.availability == .unavailable(.noFix) }
        #expect(probe.sensor?.availability == .unavailable(.noFix))
        #expect(probe.sensor?.key == gpsd.path && probe.sensor?.name == "NMEA0183")
    }

    @Test func `without a fix, what is seen is told`() throws {
        let gpsd = try RunningGPSD(.weak)
        defer { gpsd.stop() }
        let words = "the receiver has no fix, 3 seen, 0 used, strongest 18 dB-Hz: weak signal"
        let probe = try probe(gpsd) { $0.sensor?.detail == words }
        #expect(probe.sensor?.detail == words)
        #expect(probe.position?.satellitesSeen == 3 && probe.position?.strongestSignal == 18)
    }

    @Test func `a flat fix is 2D`() throws {
        let gpsd = try RunningGPSD(.twoDimensional)
        defer { gpsd.stop() }
        let flat = try probe(gpsd) { $0.sensor?.availability == .available }
        #expect(flat.sensor?.availability == .available && flat.position?.fix == .twoDimensional)
        let third = try DriverHarness(world, port: gpsd.port, criteria: FixCriteria(minimumFix: .threeDimensional))
        #expect(third.sensor?.availability == .unavailable(.noFix))
    }

    @Test func `a full fix is 3D`() throws {
        let gpsd = try RunningGPSD(.threeDimensional)
        defer { gpsd.stop() }
        let probe = try probe(gpsd) { $0.position?.satellitesUsed != nil }
        #expect(probe.sensor?.availability == .available && probe.position?.fix == .threeDimensional)
        #expect(probe.position?.latitude == 52.5 && probe.position?.longitude == 13.4)
        #expect(probe.position?.altitude == 34.5 && probe.position?.satellitesUsed == 3)
        #expect(probe.position?.simulated == false && probe.notices.isEmpty)
        let state = try DriverHarness(world, port: gpsd.port, .state)
        #expect(state.sensor?.availability == .available && state.sensor?.reading == nil)
    }

    @Test func `a simulated fix is marked as one`() throws {
        let gpsd = try RunningGPSD(.simulated)
        defer { gpsd.stop() }
        let probe = try probe(gpsd) { $0.position?.simulated == true }
        #expect(probe.sensor?.availability == .available && probe.notices == [.simulated])
    }

    @Test func `an inertial unit makes both sensors`() throws {
        let gpsd = try RunningGPSD(.inertial)
        defer { gpsd.stop() }
        let probe = try probe(gpsd) { $0.findings.first?.others.count == 2 && $0.sensor?.availability == .available }
        #expect(probe.sensor?.availability == .available)
        let sensors = try #require(probe.findings.first).others
        #expect(sensors.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(sensors.allSatisfy { $0.key == gpsd.path && $0.availability == .available })
        // Releases before 3.23 do not say the unit, and later ones do not know this sentence.
        #expect(sensors.first?.reading == .axes(AxesReading(x: 0.02, y: -0.03, z: 1, unit: .raw)))
        #expect(sensors.last?.reading == .axes(AxesReading(x: 0.5, y: -0.25, z: nil, unit: .raw)))
    }

    @Test func `a newer gpsd tells of the inertial unit in a receiver's log what gpsd's own check of the log holds`()
        throws
    {
        guard let program = RunningGPSD.newer else { try Test.cancel("needs .build/gpsd, which Scripts/test fetches") }
        let logs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Logs")
        let log = Array(try Data(contentsOf: logs.appending(path: "ublox-neo-m8u.log")))
        // The lines above the receiver's own messages say where the log is from.
        let messages = try #require(log.indices.first { log[$0...].starts(with: [0xb5, 0x62]) })
        let gpsd = try RunningGPSD(.log(Array(log[messages...])), program: program)
        defer { gpsd.stop() }
        let probe = try probe(gpsd) { $0.findings.first?.others.count == 2 }
        let sensors = try #require(probe.findings.first).others
        #expect(sensors.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(sensors.allSatisfy { $0.name == "u-blox" && $0.key == gpsd.path && $0.detail == nil })
        // What gpsd's developers recorded of the same messages.
        let check = try String(contentsOf: logs.appending(path: "ublox-neo-m8u.log.chk"), encoding: .utf8)
        let objects = try check.split(whereSeparator: \.isNewline).filter { $0.contains(#""class":"IMU""#) }
            .map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        func values(_ prefix: String, by factor: Double) -> [[Double]] {
            objects.map { object in
                ["x", "y", "z"].compactMap { (object["\(prefix)_\($0)"] as? Double).map { $0 * factor } }
            }
        }
        for (sensor, expected, unit) in [
            (sensors[0], values("acc", by: 1), AxesReading.Unit.metresPerSecondSquared),
            (sensors[1], values("gyro", by: .pi / 180), .radiansPerSecond),
        ] {
            guard case .axes(let axes)? = sensor.reading else {
                Issue.record("no reading of \(sensor.kind)")
                continue
            }
            #expect(axes.unit == unit && sensor.availability == .available)
            #expect(expected.contains([axes.x, axes.y, axes.z].compactMap(\.self)), "\(axes)")
        }
    }

    @Test(.waits) func `silent after a fix, it is silent and then stale`() throws {
        let gpsd = try RunningGPSD(.threeDimensional)
        defer { gpsd.stop() }
        #expect(try probe(gpsd) { $0.sensor?.availability == .available }.sensor?.availability == .available)
        gpsd.set(.nothing)
        let silent = try probe(gpsd) { $0.sensor?.availability != .available }
        #expect(silent.sensor?.availability == .unavailable(.silent))
        let stale = try probe(gpsd, criteria: FixCriteria(maximumAge: .seconds(2))) {
            $0.sensor?.availability == .unavailable(.stale)
        }
        #expect(stale.sensor?.availability == .unavailable(.stale))
        #expect((stale.position?.ageSeconds ?? 0) > 2)
    }

    @Test(.waits) func `activated by our watch and silent, it is unknown`() throws {
        let gpsd = try RunningGPSD(.nothing, opens: false)
        defer { gpsd.stop() }
        let state = try DriverHarness(world, port: gpsd.port, .state)
        #expect(state.sensor?.availability == .available)
        let probe = try DriverHarness(world, port: gpsd.port)
        #expect(probe.sensor?.availability == .unavailable(.indeterminate))
    }

    @Test func `activated by our watch, it reports its fix`() throws {
        let gpsd = try RunningGPSD(.threeDimensional, opens: false)
        defer { gpsd.stop() }
        let probe = try DriverHarness(world, port: gpsd.port, seconds: 6)
        #expect(probe.sensor?.availability == .available)
    }
}

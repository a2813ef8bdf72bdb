import DriverKit
import GPSD
import Readiness
import Support
import Synchronization
import Testing

/// A watched gpsd's reports are used by the probes too.
@Suite(.enabled(if: RunningGPSD.isInstalled), .timeLimit(.minutes(10)))
struct StreamTests {
    /// A small watch over one gpsd: the driver's sources of changes, and probes of the same driver.
    private final class Watched: Sendable {
        let changes = Mutex(0)
        let connections = Mutex(0)
        let gpsd: RunningGPSD
        let driver: GPSDDriver
        private let running = Mutex<ChangeMonitor?>(nil)

        init(_ gpsd: RunningGPSD, criteria: FixCriteria = FixCriteria()) throws {
            self.gpsd = gpsd
            driver = GPSDDriver(HostPort(host: "127.0.0.1", port: gpsd.port), criteria: criteria)
            let monitor = try ChangeMonitor(.sample) { _ in self.changes.withLock { $0 += 1 } }
            running.withLock { $0 = monitor }
            // The other source reports udev's events of nodes, which this world lacks.
            let source = try #require(driver.changeSources.last)
            let world = world
            detach { _ = try? source(world, monitor) }
        }

        func end() {
            running.withLock { $0?.cancel() }
            gpsd.stop()
        }

        private var world: DevicelessWorld {
            DevicelessWorld { [self] endpoint, deadline throws(DriverError) in
                connections.withLock { $0 += 1 }
                return try driver.openChannel(to: endpoint, until: deadline)
            }
        }

        /// One probe, and whether it connected.
        func probe() throws -> (availability: Availability?, connected: Bool) {
            let before = connections.withLock(\.self)
            let deadline = Instant.now.advanced(bySeconds: 2)
            let session = try driver.open(world, until: deadline)
            let enumeration = try session.enumeration(.sample, until: deadline)
            let finding = enumeration.candidates.first.map { session.look(at: $0, .sample, until: deadline) }
            return (finding?.sensor.availability, connections.withLock(\.self) != before)
        }

        /// Probes until it finds the receiver in this state without connecting.
        func hears(_ availability: Availability) throws -> Bool {
            try RunningGPSD.wait(12) {
                let probe = try probe()
                return probe.availability == availability && !probe.connected
            }
        }
    }

    @Test(.waits) func `what the stream received is not requested again`() throws {
        let watched = try Watched(try RunningGPSD(.threeDimensional), criteria: FixCriteria(maximumAge: .seconds(2)))
        defer { watched.end() }
        #expect(try watched.hears(.available))
        watched.gpsd.set(.noFix)
        #expect(try watched.hears(.unavailable(.noFix)))
        watched.gpsd.set(.threeDimensional)
        #expect(try watched.hears(.available))
        watched.gpsd.set(.nothing)
        #expect(try watched.hears(.unavailable(.stale)))
    }

    @Test(.waits) func `a receiver without a fix that falls silent is silent`() throws {
        let watched = try Watched(try RunningGPSD(.noFix), criteria: FixCriteria(maximumAge: .seconds(2)))
        defer { watched.end() }
        #expect(try watched.hears(.unavailable(.noFix)))
        watched.gpsd.set(.nothing)
        #expect(try watched.hears(.unavailable(.silent)))
    }

    @Test(.waits) func `equal reports are not a change`() throws {
        let watched = try Watched(try RunningGPSD(.threeDimensional))
        defer { watched.end() }
        #expect(try watched.hears(.available))
        let before = watched.changes.withLock(\.self)
        // About eight reports.
        let rest = Instant.now.advanced(bySeconds: 4)
        #expect(RunningGPSD.wait(10) { Instant.now > rest })
        #expect(watched.changes.withLock(\.self) == before)
        watched.gpsd.set(.noFix)
        #expect(RunningGPSD.wait(10) { watched.changes.withLock(\.self) > before })
    }

    @Test func `the reports of a gpsd that ended are dropped`() throws {
        let watched = try Watched(try RunningGPSD(.threeDimensional))
        #expect(try watched.hears(.available))
        watched.end()
        let isLost = try RunningGPSD.wait(12) { try watched.probe().availability == nil }
        #expect(isLost)
    }
}

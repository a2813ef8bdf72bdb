import GPSD
import DriverKit
import RigLocation
import PhoneSupport
import Support
import Testing

/// Positions of Debian's own gpsd, with a receiver on its own terminal.
@Suite(.enabled(if: RunningGPSD.isInstalled), .timeLimit(.minutes(10)))
struct RunningGPSDTests {
    private let world = DevicelessWorld { endpoint, deadline throws(DriverError) in
        try GPSDDriver().openChannel(to: endpoint, until: deadline)
    }

    @Test(.waits) func `a fix is gained, lost and regained`() throws {
        let gpsd = try RunningGPSD(.threeDimensional)
        defer { gpsd.stop() }
        let test = try TestRig(
            grants: "location: when-in-use\n", world: world, gpsd: HostPort(host: "127.0.0.1", port: gpsd.port))
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(eventually(30) { diary.locations.count { $0.verticalAccuracy > 0 } >= 2 })
        let location = try #require(diary.locations.last)
        #expect(location.coordinate.latitude == 52.5 && location.coordinate.longitude == 13.4)
        #expect(location.altitude == 34.5 && location.horizontalAccuracy > 0)
        #expect(abs(location.timestamp.timeIntervalSinceNow) < 60)
        gpsd.set(.noFix)
        #expect(eventually(30) { diary.codes.last == .locationUnknown })
        let count = diary.locations.count
        gpsd.set(.threeDimensional)
        #expect(eventually(30) { diary.locations.count > count })
        manager.stopUpdatingLocation()
    }
}

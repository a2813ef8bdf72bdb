public import DriverKit
public import Linux
public import Readiness

#if IIO
    internal import IIO
#endif
#if Bluetooth
    internal import Bluetooth
#endif
#if GPSD
    internal import GPSD
#endif

/// The drivers of this build: one `#if` per package trait.
///
/// A new driver is named here three times: its import, its entry in the list, and its line among the drivers left out.
public enum BundledDrivers {
    /// Where gpsd listens unless it is told otherwise.
    public static let gpsd = HostPort(host: "127.0.0.1", port: 2947)

    /// The drivers, in the order of the report.
    ///
    /// - Parameters:
    ///   - gpsd: Where gpsd listens.
    ///   - criteria: What a position must be.
    ///   - waitForFix: Seconds that the location driver may take for a fix.
    ///   - iio: URIs of libiio contexts beside the local one.
    public static func drivers(
        gpsd: HostPort = gpsd, criteria: FixCriteria = FixCriteria(), waitForFix: Double = 0, iio: [String] = []
    ) -> [any Driver] {
        var drivers: [any Driver] = []
        #if IIO
            drivers.append(IIODriver())
            drivers += iio.map { RemoteIIODriver(uri: $0) }
        #endif
        #if Bluetooth
            drivers.append(BluetoothDriver())
        #endif
        #if GPSD
            drivers.append(
                GPSDDriver(host: gpsd.host, port: gpsd.port, criteria: criteria, waitForFix: waitForFix))
        #endif
        return drivers
    }

    /// The drivers that this build has not: what they look for cannot be told.
    public static var leftOut: [DriverReport] {
        var reports: [DriverReport] = []
        #if !IIO
            reports.append(missing("iio", [.accelerometer, .gyroscope, .stepCounter]))
        #endif
        #if !Bluetooth
            reports.append(missing("bluetooth", [.bluetoothAdapter]))
        #endif
        #if !GPSD
            reports.append(missing("gpsd", [.locationReceiver]))
        #endif
        return reports
    }

    /// This machine, as the drivers of this build can ask it; access is that of an account, without one the process's.
    public static func world(as account: Account? = nil) -> LiveWorld { LiveWorld(as: account, drivers: drivers()) }

    /// What takes personal data out of the frames of the drivers of this build.
    public static var anonymizers: [any FrameAnonymizer] { drivers().compactMap(\.anonymizer) }

    private static func missing(_ name: String, _ kinds: [SensorKind]) -> DriverReport {
        DriverReport(name: name, kinds: kinds, state: .unavailable, detail: "left out of this build")
    }
}

public import DriverKit
public import Readiness
public import Linux

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
/// A new driver is named here four times: its import, its entry in the list, its endpoint in the live world where it
/// needs one of its own, and its line among the drivers left out.
public enum Bundled {
    /// The drivers, in the order of the report.
    ///
    /// - Parameters:
    ///   - gpsdHost: The host of gpsd, by name or address.
    ///   - gpsdPort: The port of gpsd.
    ///   - criteria: What a position must be.
    ///   - waitForFix: Seconds that the location driver may take for a fix.
    ///   - iio: URIs of libiio contexts beside the local one.
    public static func drivers(
        gpsdHost: String, gpsdPort: UInt16, criteria: FixCriteria, waitForFix: Double, iio: [String]
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
                GPSDDriver(host: gpsdHost, port: gpsdPort, criteria: criteria, waitForFix: waitForFix))
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
    public static func world(as account: Account? = nil) -> LiveWorld {
        LiveWorld(
            as: account, accessControlList: { Udev.accessControlList(of: $0) },
            devices: { (subsystem) throws(DriverError) in try Udev.devices(in: subsystem) },
            modules: { (alias) throws(DriverError) in try Udev.modules(for: alias) },
            channel: { (endpoint, deadline) throws(DriverError) in try open(endpoint, until: deadline) })
    }

    private static func open(_ endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        switch endpoint {
        case .uevents:
            return try UdevMonitor()
        #if GPSD
            case .gpsd(let host, let port):
                return try DescriptorChannel.connect(
                    host: host, port: port, subject: endpoint.description, until: deadline)
        #endif
        #if Bluetooth
            case .management, .hci, .rfkill:
                return try openBluetoothChannel(endpoint, until: deadline)
        #endif
        #if IIO
            case .iio(let uri):
                return try openIIOChannel(uri, until: deadline)
        #endif
        #if !(GPSD && Bluetooth && IIO)
            default:
                throw DriverError(
                    .unsupported, subject: endpoint.description, detail: "this build has no such driver")
        #endif
        }
    }

    private static func missing(_ name: String, _ kinds: [SensorKind]) -> DriverReport {
        DriverReport(name: name, kinds: kinds, state: .unavailable, detail: "left out of this build")
    }
}

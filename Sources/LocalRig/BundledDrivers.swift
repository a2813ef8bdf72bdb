package import DriverKit
package import Linux
package import Readiness

#if IIO
    internal import IIO
#endif
#if Evdev
    internal import Evdev
#endif
#if Bluetooth
    internal import Bluetooth
#endif
#if GPSD
    internal import GPSD
#endif

/// The drivers of this build: one `#if` per package trait.
///
/// A new driver is added here in three places: its import, its entry in the list, and its line in `leftOut`.
package enum BundledDrivers {
    /// The default address of gpsd.
    package static let gpsd = HostPort(host: "127.0.0.1", port: 2947)

    /// The drivers, in the order of the report.
    ///
    /// - Parameters:
    ///   - gpsd: The address of gpsd.
    ///   - criteria: What a position must meet.
    ///   - waitForFix: Seconds that the location driver may wait for a fix.
    ///   - iio: URIs of libiio contexts besides the local one.
    package static func drivers(
        gpsd: HostPort = gpsd, criteria: FixCriteria = FixCriteria(), waitForFix: Double = 0, iio: [String] = []
    ) -> [any Driver] {
        var drivers: [any Driver] = []
        #if IIO
            drivers.append(IIODriver())
            drivers += iio.map { RemoteIIODriver(uri: $0) }
        #endif
        #if Evdev
            drivers.append(EvdevDriver())
        #endif
        #if Bluetooth
            drivers.append(BluetoothDriver())
        #endif
        #if GPSD
            drivers.append(GPSDDriver(gpsd, criteria: criteria, waitForFix: waitForFix))
        #endif
        return drivers
    }

    /// Whether a live probe opens an input device at depth `sample`.
    static func opensInputDevices(in world: any World) -> Bool {
        #if Evdev
            EvdevDriver.hasDevices(in: world)
        #else
            false
        #endif
    }

    /// The drivers that are not part of this build: the sensors that they look for are unknown.
    package static var leftOut: [DriverReport] {
        let all: KeyValuePairs<String, [SensorKind]> = [
            "iio": [.accelerometer, .gyroscope, .stepCounter],
            "evdev": [.accelerometer, .gyroscope],
            "bluetooth": [.bluetoothAdapter],
            "gpsd": [.locationReceiver],
        ]
        let built = drivers().map(\.name)
        return all.filter { !built.contains($0.key) }.map { name, kinds in
            DriverReport(name: name, kinds: kinds, state: .unavailable, detail: "left out of this build")
        }
    }

    /// This machine as the drivers of this build access it; with the rights of an account, by default the process's, and
    /// with the sysfs in another folder than `/sys`.
    package static func world(as account: Account? = nil, sysfs: String? = nil) -> LiveWorld {
        LiveWorld(as: account, drivers: drivers(), sysfs: sysfs)
    }

    /// The anonymizers of the frames of the drivers of this build.
    package static var anonymizers: [any FrameAnonymizer] { drivers().compactMap(\.anonymizer) }
}

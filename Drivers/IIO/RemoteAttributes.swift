internal import DriverKit
internal import Readiness
internal import SystemPackage

/// The attributes of one device of a libiio context, by their file names in sysfs.
struct RemoteAttributes: AttributeReader {
    private let device: ContextDescription.ContextDevice
    private let uri: String
    private let ask: (RemoteRequest) throws(DriverError) -> [UInt8]

    init(
        _ device: ContextDescription.ContextDevice, _ uri: String,
        ask: @escaping (RemoteRequest) throws(DriverError) -> [UInt8]
    ) {
        self.device = device
        self.uri = uri
        self.ask = ask
    }

    func read(_ attribute: String) throws(DriverError) -> [UInt8] {
        guard let known = device.attributes[attribute] else {
            throw DriverError(errno: .noSuchFileOrDirectory, subject: place(of: attribute))
        }
        return try ask(.read(device: device.id, known))
    }

    func place(of attribute: String) -> String { "\(uri) \(device.id)/\(attribute)" }

    func format(of value: String) -> SampleFormat? { device.formats[value] }

    /// libiio does not show whether a buffer is enabled; on a device with one, EBUSY is how the kernel reports that
    /// (`iio_device_claim_direct_mode`).
    func isCaptured() -> Bool { device.isBuffered }

    func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? { nil }
}

package import DriverKit

extension Endpoint {
    /// A libiio context by URI (`ip:`, `usb:`, `xml:`); the frames are those of `RemoteRequest`.
    package static func iio(uri: String) -> Endpoint { Endpoint("iio", at: uri, named: uri, isStateless: true) }

    /// The channel of a context; nil for another kind of endpoint.
    func openedContext(until deadline: Instant) throws(DriverError) -> (any Channel)? {
        kind == "iio" ? try openIIOChannel(address, until: deadline) : nil
    }
}

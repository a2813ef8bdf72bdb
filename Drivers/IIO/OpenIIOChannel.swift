internal import Linux
package import DriverKit

/// Opens a context for the live world: a file, iiod at an address, or else through libiio.
///
/// The first two need no libiio, which serves `usb:` and names that only it resolves. Throws `unsupported` if libiio is
/// missing, `timedOut` if the peer sends nothing, `malformed` if it is not iiod, and the errno of the peer or the file.
package func openIIOChannel(_ uri: String, until deadline: Instant) throws(DriverError) -> any Channel {
    if uri.hasPrefix("xml:") { return try ContextFileChannel(uri) }
    if let address = HostPort(context: uri) {
        do throws(DriverError) {
            let line = try DescriptorChannel.connect(
                host: address.host, port: address.port, subject: uri, until: deadline)
            return try IIODChannel(over: line, uri, until: deadline)
        } catch {
            // libiio asks Avahi for names of the local link if the C library is not set up to.
            guard error.errno == nil, error.code == .refused, address.host.hasSuffix(".local") else { throw error }
        }
    }
    return try LibIIOChannel(uri, LibIIO(), until: deadline)
}

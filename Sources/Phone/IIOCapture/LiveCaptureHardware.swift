package import DriverKit
internal import Glibc
package import SystemPackage

/// This machine's devices.
package struct LiveCaptureHardware: CaptureHardware {
    /// Makes it.
    package init() {}

    /// By one `write`, as attributes want it.
    package func write(_ value: String, to attribute: FilePath) throws(DriverError) {
        do {
            let file = try FileDescriptor.open(attribute, .writeOnly, options: [.closeOnExec])
            try file.closeAfter { _ = try file.writeAll(value.utf8) }
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: attribute.string)
        }
    }

    /// By `faccessat` with the effective ids.
    package func mayWrite(_ attribute: FilePath) -> Bool {
        unsafe faccessat(AT_FDCWD, attribute.string, W_OK, AT_EACCESS) == 0
    }

    /// By opening the node as libiio does, and closing it again: a capture elsewhere holds it.
    package func claim(_ node: FilePath) throws(DriverError) {
        do {
            try FileDescriptor.open(node, .readWrite, options: [.closeOnExec, .nonBlocking]).close()
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: node.string)
        }
    }

    /// Through libiio.
    package func buffer(
        of device: String, channels: Set<String>, scans: Int
    ) throws(DriverError) -> any CaptureBuffer {
        try LibIIOBuffer(of: device, channels: channels, scans: scans)
    }
}

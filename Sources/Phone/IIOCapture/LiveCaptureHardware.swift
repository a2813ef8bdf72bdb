package import DriverKit
internal import Glibc
package import SystemPackage

/// This machine's devices.
package struct LiveCaptureHardware: CaptureHardware {
    /// Accesses this machine's devices.
    package init() {}

    /// Uses a single `write`, as attributes require.
    package func write(_ value: String, to attribute: FilePath) throws(DriverError) {
        do {
            let file = try FileDescriptor.open(attribute, .writeOnly, options: [.closeOnExec])
            try file.closeAfter { _ = try file.writeAll(value.utf8) }
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: attribute.string)
        }
    }

    /// Uses `faccessat` with the effective ids.
    package func mayWrite(_ attribute: FilePath) -> Bool {
        unsafe faccessat(AT_FDCWD, attribute.string, W_OK, AT_EACCESS) == 0
    }

    /// Opens the node as libiio does, and closes it again; fails if another capture holds it.
    package func claim(_ node: FilePath) throws(DriverError) {
        do {
            try FileDescriptor.open(node, .readWrite, options: [.closeOnExec, .nonBlocking]).close()
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: node.string)
        }
    }

    /// Uses libiio.
    package func buffer(
        of device: String, channels: Set<String>, scans: Int
    ) throws(DriverError) -> any CaptureBuffer {
        try LibIIOBuffer(of: device, channels: channels, scans: scans)
    }
}

internal import Glibc
public import Readiness
internal import SystemPackage

extension RigConfiguration {
    /// Reads and parses a file of at most 1 MiB.
    ///
    /// Waits at most two seconds for a pipe. Throws an error without a line where the file cannot be read.
    public static func load(
        _ path: String, rules: RulesVersion? = nil
    ) throws(ConfigurationError) -> RigConfiguration {
        try RigConfiguration(parsing: try contents(ofConfiguration: path), file: path, rules: rules)
    }
}

/// The bytes of a file that a person names: at most one more than a document may have, so that the parser can tell.
package func contents(ofConfiguration path: String) throws(ConfigurationError) -> [UInt8] {
    do {
        let file = try FileDescriptor.open(
            FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
        return try file.closeAfter { try bytes(of: file, limit: Document.maximumSize + 1) }
    } catch let error as Errno {
        throw ConfigurationError(file: path, message: "cannot be read: \(error.description)")
    } catch {
        throw ConfigurationError(file: path, message: "cannot be read")
    }
}

private func bytes(of file: FileDescriptor, limit: Int) throws -> [UInt8] {
    let deadline = milliseconds() + 2_000
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < limit {
        do {
            let count = unsafe try chunk.withUnsafeMutableBytes { unsafe try file.read(into: $0) }
            if count == 0 { break }
            bytes.append(contentsOf: chunk.prefix(count))
        } catch Errno.wouldBlock {
            var wanted = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
            let left = deadline - milliseconds()
            guard left > 0, unsafe poll(&wanted, 1, CInt(clamping: left)) != 0 else { throw Errno.timedOut }
        }
    }
    return bytes
}

/// Milliseconds of a clock that nobody sets.
private func milliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec &* 1_000 &+ time.tv_nsec / 1_000_000
}

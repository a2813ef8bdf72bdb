import Linux
internal import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// A private gpsd on a private terminal, which a thread feeds with NMEA 0183, or with what a receiver once sent.
public final class RunningGPSD: Sendable {
    /// The receiver's output each second.
    public enum Sky: Sendable, Equatable {
        case nothing, noFix, weak, twoDimensional, threeDimensional, simulated
        /// A full fix, after what the inertial unit of a compass measures.
        case inertial
        /// What a receiver sent, again and again.
        case log([UInt8])
    }
    /// Why it cannot run.
    public struct Failed: Error, CustomStringConvertible {
        /// The reason as text.
        public let description: String
        /// Creates an error with a reason.
        public init(description: String) { self.description = description }
    }

    /// Debian's own.
    public static let program = "/usr/sbin/gpsd"
    /// Whether this machine has the requirements.
    public static var isInstalled: Bool { unsafe access(program, X_OK) == 0 && access("/usr/bin/timeout", X_OK) == 0 }

    /// A newer one with its libraries, which `Scripts/test` fetches; nil if it is not there.
    public static let newer: [String]? = {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/.build/gpsd/usr"
        let words = ["lib64/ld-linux-x86-64.so.2", "lib/x86_64-linux-gnu", "sbin/gpsd"].map { "\(root)/\($0)" }
        return unsafe access(words[2], X_OK) == 0 ? [words[0], "--library-path"] + words[1...] : nil
    }()

    /// The port that it listens on.
    public let port: UInt16
    /// The receiver's node.
    public let path: String
    private let receiver: FileDescriptor
    private let process: ChildProcess
    private let sky: Mutex<(Sky, isOver: Bool)>

    /// Starts gpsd and waits until it listens; without `device` it has only its control socket.
    ///
    /// `opens` makes it open the receiver at once (`-n`) rather than for the first client; `program` is Debian's own
    /// unless given.
    public init(
        _ sky: Sky, opens: Bool = true, device: Bool = true, program: [String] = [RunningGPSD.program]
    ) throws {
        self.sky = Mutex((sky, false))
        port = try Self.freePort()
        receiver = try FileDescriptor.open(FilePath("/dev/ptmx"), .readWrite, options: [.closeOnExec, .nonBlocking])
        // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, since Glibc's module lacks unlockpt and ptsname.
        var lock: CInt = 0
        var number: CUnsignedInt = 0
        guard unsafe ioctl(receiver.rawValue, 0x4004_5431, &lock) == 0,
            unsafe ioctl(receiver.rawValue, 0x8004_5430, &number) == 0
        else { throw Failed(description: "no pseudo-terminal: \(Errno.current)") }
        path = "/dev/pts/\(number)"
        // Raw, so that the terminal echoes nothing; open to the user that gpsd becomes.
        let node = FileDescriptor(rawValue: unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
        var settings = termios()
        unsafe tcgetattr(node.rawValue, &settings)
        unsafe cfmakeraw(&settings)
        unsafe tcsetattr(node.rawValue, TCSANOW, &settings)
        unsafe chmod(path, 0o666)
        let words =
            ["/usr/bin/timeout", "-s", "KILL", "60"] + program + ["-N", "-b", "-S", "\(port)"]
            + (opens ? ["-n"] : []) + (device ? [path] : ["-F", "/tmp/gpsd-test-\(port).sock"])
        process = try ChildProcess(words)
        try node.close()
        guard Self.wait(5, for: { self.isListening }) else {
            stop()
            throw Failed(description: "gpsd does not listen")
        }
        detach { self.feed() }
    }

    /// Changes the receiver's output.
    public func set(_ sky: Sky) { self.sky.withLock { $0.0 = sky } }

    /// Ends gpsd.
    public func stop() {
        sky.withLock { $0.isOver = true }
        process.kill()
        unsafe unlink("/tmp/gpsd-test-\(port).sock")
    }

    // MARK: - Feeding

    /// Feeds until the end; retains the gpsd itself, so that the terminal lasts as long.
    private func feed() {
        var place = 0
        while true {
            let (sky, isOver) = sky.withLock { $0 }
            if isOver { break }
            if case .log(let bytes) = sky {
                // At the pace of a receiver: a terminal holds 4 KiB.
                let end = min(place + 500, bytes.count)
                _ = try? receiver.writeAll(bytes[place..<end])
                place = end < bytes.count ? end : 0
                usleep(50_000)
                continue
            }
            let text = Self.sentences(sky).map(Self.framed).joined()
            _ = try? receiver.writeAll(Array(text.utf8))
            usleep(500_000)
        }
        try? receiver.close()
    }

    private static func sentences(_ sky: Sky) -> [String] {
        var now = time(nil)
        var day = unsafe tm()
        unsafe gmtime_r(&now, &day)
        let clock = unsafe pad(day.tm_hour) + pad(day.tm_min) + pad(day.tm_sec) + ".00"
        let date = unsafe pad(day.tm_mday) + pad(day.tm_mon + 1) + pad(day.tm_year % 100)
        let place = "5230.0000,N,01324.0000,E"
        let valid = "GPRMC,\(clock),A,\(place),0.1,0.0,\(date),,,A"
        switch sky {
        case .nothing, .log: return []
        case .noFix, .weak:
            let seen = ["GPGSV,1,1,03,02,40,083,18,05,17,308,12,07,07,344,15"]
            return [
                "GPGGA,\(clock),,,,,0,00,99.99,,,,,,", "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
                "GPRMC,\(clock),V,,,,,,,\(date),,,N",
            ] + (sky == .weak ? seen : [])
        case .twoDimensional: return [valid]
        case .inertial:
            // OceanServer's: heading, angles, temperature and depth; the field, the acceleration and the rotation, with
            // the lengths of the first two.
            return ["OHPR,100.0,1.0,2.0,21.5,0.0,55.0,10.0,20.0,50.0,1.01,0.02,-0.03,1.00,0,0.50,-0.25,0,0"]
                + sentences(.threeDimensional)
        case .threeDimensional, .simulated:
            let quality = sky == .simulated ? 8 : 1
            return [
                "GPGGA,\(clock),\(place),\(quality),09,0.9,34.5,M,47.0,M,,",
                "GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.5,0.9,1.2", valid,
                "GPGSV,1,1,03,01,40,083,46,02,17,308,41,03,07,344,39",
            ]
        }
    }

    private static func pad(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func framed(_ sentence: String) -> String {
        let sum = sentence.utf8.reduce(0, ^)
        return "$\(sentence)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
    }

    // MARK: - Process and port

    private var isListening: Bool {
        let deadline = Instant.now.advanced(bySeconds: 1)
        return (try? DescriptorChannel.connect(host: "127.0.0.1", port: port, subject: "gpsd", until: deadline)) != nil
    }

    /// An unused port.
    public static func freePort() throws -> UInt16 {
        let (socket, port) = try bound()
        close(socket)
        return port
    }

    /// A socket with its own port.
    public static func bound() throws -> (socket: CInt, port: UInt16) {
        let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let bound = unsafe bind(number, pointer, size)
                return unsafe bound == 0 ? getsockname(number, pointer, &size) : bound
            }
        }
        guard status == 0 else {
            close(number)
            throw Failed(description: "no free port: \(Errno.current)")
        }
        return (number, UInt16(bigEndian: address.sin_port))
    }

    /// Waits until a condition is met, for at most that many seconds.
    public static func wait(_ seconds: Double, for condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Instant.now.advanced(bySeconds: seconds)
        while try !condition() {
            if Instant.now > deadline { return false }
            usleep(50_000)
        }
        return true
    }
}

/// Runs work on a thread of its own: the pool of Swift's tasks is for work that does not block.
public func detach(_ work: @escaping @Sendable () -> Void) {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Box(work)).toOpaque()
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
        if let box = unsafe box { unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work() }
        return nil
    }
    let status = unsafe pthread_create(&thread, nil, start, box)
    guard status == 0 else { return unsafe Unmanaged<Box>.fromOpaque(box).release() }
    pthread_detach(thread)
}

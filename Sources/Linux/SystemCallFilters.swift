internal import CGlibc
internal import DriverKit
internal import Glibc
internal import SystemPackage

/// The filters of system calls (seccomp) of another process, for this process to install as well.
///
/// The kernel shows them only of a process that is stopped for that moment, which is less than a millisecond. Its waiting
/// system calls continue, except those that every signal handler interrupts, such as `epoll_wait`.
///
/// Source: ptrace(2), `PTRACE_SECCOMP_GET_FILTER`; seccomp(2).
struct SystemCallFilters {
    /// The filters in the order in which they were installed; an instruction has eight bytes.
    private var programs: [[UInt64]] = []

    private static let seizeRequest: CInt = 0x4206
    private static let interruptRequest: CInt = 0x4207
    private static let filterRequest: CInt = 0x420C
    private static let detachRequest: CInt = 17

    /// How long a process may take to stop, in milliseconds; one in a call of the kernel that cannot be interrupted does not.
    private static let patience = 1000
    /// The maximum number of filters that are taken over; systemd installs about ten.
    private static let limit = 256

    /// Reads the filters of a process; throws if it cannot be traced, or does not stop in time.
    ///
    /// It is then traced until this process ends, which is to follow at once.
    init(of process: Int32) throws(DriverError) {
        func failure() -> DriverError { DriverError(errno: .current, subject: "process \(process)") }
        guard trace(Self.seizeRequest, process, 0, nil) == 0,
            trace(Self.interruptRequest, process, 0, nil) == 0
        else { throw failure() }
        guard let signal = Self.waitForStop(of: process) else {
            throw DriverError(.timedOut, subject: "process \(process)", detail: "it does not stop")
        }
        defer { _ = unsafe trace(Self.detachRequest, process, 0, UnsafeRawPointer(bitPattern: Int(signal))) }
        for index in 0... {
            let count = trace(Self.filterRequest, process, UInt(index), nil)
            if count < 0, Errno.current == .noSuchFileOrDirectory { break }
            guard count > 0, count <= 4096, index < Self.limit else { throw failure() }
            var program = [UInt64](repeating: 0, count: count)
            guard unsafe trace(Self.filterRequest, process, UInt(index), &program) == count else { throw failure() }
            programs.append(program)
        }
    }

    /// Installs the filters for this thread and those that it starts; false if the kernel refuses one.
    ///
    /// It cannot be undone.
    func install() -> Bool {
        programs.allSatisfy { unsafe install_filter($0, UInt16($0.count)) == 0 }
    }

    /// Waits until a process that was interrupted has stopped; returns the signal that it is to be given when it continues, or 0.
    private static func waitForStop(of process: Int32) -> CInt? {
        for _ in 0..<patience {
            var status: CInt = 0
            let found = unsafe waitpid(process, &status, WNOHANG | CInt(bitPattern: 0x4000_0000))
            if found != 0 {
                guard found == process, status & 0xFF == 0x7F else { return nil }
                // A stop of the tracer (PTRACE_EVENT_STOP) has no signal.
                return status >> 16 == 0x80 ? 0 : status >> 8 & 0xFF
            }
            usleep(1000)
        }
        return nil
    }
}

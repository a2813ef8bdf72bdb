import Glibc
import SystemPackage
import Testing
@testable import DriverKit

@Suite struct ReadInterrupterTests {
    /// Reads a byte from a pipe; a signal ends the read.
    private static func byte(from end: FileDescriptor) throws(DriverError) -> UInt8? {
        do {
            return try unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
                let count = try unsafe end.read(into: buffer, retryOnInterrupt: false)
                return count == 1 ? unsafe buffer[0] : nil
            }
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: "the pipe")
        }
    }

    /// Runs with the reading end of a pipe, to which a byte is written after so many seconds.
    private static func withPipe(writtenAfter seconds: Double, _ body: (FileDescriptor) throws -> Void) throws {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        let over = try Waker()
        _ = Worker.start {
            // Not once nobody reads: the signal of that would end the tests.
            if !over.wait(until: .now.advanced(bySeconds: seconds)) { _ = try? writeEnd.writeAll([7]) }
            try? writeEnd.close()
        }
        defer {
            over.wake()
            try? readEnd.close()
        }
        try body(readEnd)
    }

    @Test func `a read in which the kernel waits is interrupted, and each one after it`() throws {
        try Self.withPipe(writtenAfter: 60) { end in
            let interrupter = try ReadInterrupter()
            var interruptions = 0
            let error = #expect(throws: DriverError.self) {
                try interrupter.reading(of: "a hub", seconds: 0.01) { () throws(DriverError) in
                    for _ in 0..<3 {
                        do throws(DriverError) { _ = try Self.byte(from: end) } catch {
                            if error.errno == .interrupted { interruptions += 1 }
                        }
                    }
                    return try Self.byte(from: end)
                }
            }
            #expect(error?.code == .timedOut && error?.subject == "a hub" && interruptions == 3)
        }
    }

    @Test func `what is read after its time is no reading`() throws {
        let interrupter = try ReadInterrupter()
        let error = #expect(throws: DriverError.self) {
            try interrupter.reading(of: "a hub", seconds: 0.01) { () throws(DriverError) in
                _ = try Waker().wait(until: .now.advanced(bySeconds: 0.02))
                return 0
            }
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a reading in time is returned, its own error thrown, and nothing is interrupted afterwards`() throws {
        let interrupter = try ReadInterrupter()
        #expect(try interrupter.reading(of: "a chip", seconds: 60) { () throws(DriverError) in 5 } == 5)
        let error = #expect(throws: DriverError.self) {
            try interrupter.reading(of: "a chip", seconds: 60) { () throws(DriverError) in
                throw DriverError(errno: .ioError, subject: "its file")
            }
        }
        #expect(error?.errno == .ioError && error?.subject == "its file")
        let gone = #expect(throws: DriverError.self) {
            try interrupter.reading(of: "a hub", seconds: 0.01) { () throws(DriverError) in
                _ = try Waker().wait(until: .now.advanced(bySeconds: 0.02))
                throw DriverError(errno: .noSuchFileOrDirectory, subject: "its file")
            }
        }
        #expect(gone?.errno == .noSuchFileOrDirectory)
        // Its time would be over while the pipe is read.
        #expect(try interrupter.reading(of: "a chip", seconds: 2) { () throws(DriverError) in 6 } == 6)
        var byte: UInt8?
        try Self.withPipe(writtenAfter: 2.3) { byte = try Self.byte(from: $0) }
        #expect(byte == 7)
    }
}

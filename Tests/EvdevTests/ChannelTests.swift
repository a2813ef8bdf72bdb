import DriverKit
import Foundation
import Glibc
import SystemPackage
import Testing
@testable import Evdev

/// The channel over a pipe that stands for a node: only a real input device answers `EVIOCGABS`.
@Suite struct ChannelTests {
    private func withPipe(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "event0").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        try body(path)
    }

    @Test func `a node's events are received`() throws {
        try withPipe { path in
            let channel = try EvdevChannel(.evdev(path))
            let writer = try #require(FileHandle(forWritingAtPath: path))
            let report = InputNode.report([.x: 4096])
            try writer.write(contentsOf: report)
            let deadline = Instant.now.advanced(bySeconds: 10)
            #expect(try channel.receive(limit: 4096, until: deadline) == report)
            channel.cancel()
        }
    }

    @Test func `a node that is no input device has no axes, and other frames are not sent`() throws {
        try withPipe { path in
            let channel = try EvdevChannel(.evdev(path))
            let deadline = Instant.now.advanced(bySeconds: 10)
            let frames: [([UInt8], Errno?)] = [([0], .inappropriateIOCTLForDevice), ([0, 0], nil), ([64], nil)]
            for (frame, errno) in frames {
                let error = #expect(throws: DriverError.self) { try channel.send(frame, until: deadline) }
                #expect(error?.errno == errno && (error?.code == .unsupported) == (errno == nil))
            }
        }
    }

    @Test func `a node that is not there is told with its error`() throws {
        let endpoint = Endpoint.evdev("/nonexistent/event0")
        #expect(throws: DriverError(errno: .noSuchFileOrDirectory, subject: endpoint.address)) {
            try EvdevChannel(endpoint)
        }
        let other = Endpoint("unix", at: "/nonexistent/event0")
        #expect(try EvdevDriver().openChannel(to: other, until: .now) == nil)
    }
}

import Foundation
import Support
import Testing

/// Real iiods, which serve a bus of files: Debian's, and those that `RIGREADY_IIOD` names, separated by colons.
///
/// Debian 12 has no libiio 1.x; build its iiod with `WITH_IIOD_V0_COMPAT` on and off, and name both.
@Suite(.timeLimit(.minutes(5))) struct RealIIODTests {
    private static var servers: [String] {
        let named = ProcessInfo.processInfo.environment["RIGREADY_IIOD"]?.split(separator: ":").map(String.init) ?? []
        return (["/usr/sbin/iiod"] + named).filter(FileManager.default.isExecutableFile)
    }

    private static func sensors(_ arguments: [String]) throws -> [[String: Any]] {
        let run = try Program.run(["sensors", "--format", "json", "--gpsd", "127.0.0.1:1"] + arguments)
        return try #require(try run.document()["sensors"] as? [[String: Any]], "\(run.complaints)")
    }

    @Test(arguments: servers) func `its sensors are read in the protocol that it speaks`(server: String) throws {
        let namespace = try FileBus.namespace(mounting: ["/sys"])
        try Tool.withFolder { folder in
            let bus = folder.appending(path: "sys")
            for number in 0..<3 { try FileBus.addDevice(number, to: bus) }
            let port = try RunningGPSD.freePort()
            let process = try ChildProcess(namespace + [bus.path, server, "-p", "\(port)"])
            defer { process.kill() }
            var found: [[String: Any]] = []
            // The first answer that is not a refused connection.
            try MessageBus.wait {
                found = try Self.sensors(["--iio", "ip:127.0.0.1:\(port)"])
                return !found.isEmpty
            }
            #expect(found.count == 6)
            for sensor in found {
                #expect(sensor["availability"] as? String == "available", "\(sensor)")
                #expect((sensor["reading"] as? [String: Any])?["x"] as? Double == 1)
            }
        }
    }
}

import Foundation

/// The resources of a process according to the kernel; throws if it has ended.
struct Holdings {
    var descriptors, threads: Int
    /// Private memory in KiB, without mapped parts of its file, which grow as more of it runs.
    var memory: Int

    init(_ process: Int32) throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let memory = Int(line.filter(\.isNumber))
        else { throw Program.CommandFailure(description: "process \(process) has ended") }
        self.memory = memory
    }
}

internal import DriverKit
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Notices that files used in an evaluation were edited, replaced, created or removed.
///
/// Watches the folders, since an editor replaces a file by renaming another over it; for a missing folder, the
/// nearest existing one. `FOLDER/.` stands for the names in a folder. Source: inotify(7).
package final class FileWatch: Sendable {
    private struct Print: Equatable {
        var inode: Inode
        var size: Int64
        var seconds, nanoseconds: Int
    }

    private let queue: FileDescriptor
    private let events: DescriptorChannel
    private let files: [FilePath]
    private let hasChanged = Mutex(false)

    /// Starts to watch; nil if the kernel provides no queue.
    ///
    /// `onChange` is called from a thread of its own, until `end`.
    package init?(_ files: [FilePath], onChange: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        queue = FileDescriptor(rawValue: descriptor)
        guard let events = try? DescriptorChannel(queue, subject: "inotify") else { return nil }
        self.events = events
        self.files = files
        let first = files.map(Self.print)
        let began = Worker.start {
            var before = first
            // What was edited before the folders were watched has made no event.
            repeat {
                self.watchFolders()
                let now = files.map(Self.print)
                if exchange(&before, with: now) != now {
                    self.hasChanged.withLock { $0 = true }
                    onChange()
                }
            } while self.waitForEvent()
        }
        guard began else { return nil }
    }

    /// Ends the watch; may be called from any thread.
    package func end() { events.cancel() }

    /// Whether something changed since the last call.
    package func takeChange() -> Bool { hasChanged.withLock { exchange(&$0, with: false) } }

    /// The time by which the kernel notes changes of files, in nanoseconds since 1970.
    package static var clock: Int64 { Instant.time(of: CLOCK_REALTIME_COARSE) }

    /// Whether a file was changed or replaced at a time of `clock` or later; of a missing one, whether its folder was.
    package func isEdited(since time: Int64) -> Bool {
        files.contains { file in
            let record = (try? Stat(file)) ?? (try? Stat(file.removingLastComponent()))
            guard let changed = record?.st_ctim else { return false }
            return Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec) >= time
        }
    }

    private func watchFolders() {
        let mask = UInt32(
            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_ATTRIB)
        for file in files {
            var folder = file.removingLastComponent()
            if folder.isEmpty { folder = "." }
            // Watching a folder twice changes nothing.
            while unsafe inotify_add_watch(queue.rawValue, folder.string, mask) < 0, folder.components.count > 0 {
                folder.removeLastComponent()
            }
        }
    }

    /// Blocks until something happens in a folder; false if no more events can come.
    private func waitForEvent() -> Bool {
        while true {
            do throws(DriverError) {
                _ = try events.receive(limit: 16 << 10, until: .now.advanced(bySeconds: 3600))
                return true
            } catch {
                guard error.code == .timedOut else { return false }
            }
        }
    }

    private static func print(of file: FilePath) -> Print? {
        guard let record = try? Stat(file) else { return nil }
        return Print(
            inode: record.inode, size: record.size, seconds: record.st_mtim.tv_sec,
            nanoseconds: record.st_mtim.tv_nsec)
    }
}

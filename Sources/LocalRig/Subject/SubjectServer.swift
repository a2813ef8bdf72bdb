internal import DriverKit
internal import Glibc
internal import Linux
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// The child process that takes the place of a subject, and answers requests there until its parent ends.
package enum SubjectServer {
    /// Before the arguments of a child: the process to enter, and the descriptor of its parent.
    static let mark = "--subject-child="

    /// Serves and ends, if this process was started as such a child; to be called first, while it has one thread.
    package static func serveIfStarted() {
        guard let word = CommandLine.arguments.dropFirst().first, word.hasPrefix(mark) else { return }
        let numbers = word.dropFirst(mark.count).split(separator: ":").compactMap { CInt($0) }
        guard numbers.count == 2, fcntl(numbers[1], F_SETFD, FD_CLOEXEC) == 0 else { return }
        _exit(serve(on: numbers[1], enteringAs: numbers[0]) ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private static func serve(on descriptor: CInt, enteringAs number: Int32) -> Bool {
        // Opened here, since the libraries of the other place may be others.
        Libraries.open()
        var greeting = SubjectMessage.SubjectGreeting()
        do throws(DriverError) {
            greeting.omissions = try ProcessEntry.enter(ProcessFacts(of: number))
        } catch {
            greeting.failure = error.description
        }
        guard SubjectMessage.write(greeting, to: descriptor), greeting.failure == nil else { return false }
        let answers = SubjectAnswers(to: descriptor)
        while let request = SubjectMessage.read(SubjectMessage.SubjectRequest.self, from: descriptor) {
            answers.take(request)
        }
        return true
    }

    private enum Libraries {
        static func open() {
            _ = try? BundledDrivers.world().channel(to: .systemBus("org.freedesktop.DBus"), until: .now)
        }
    }
}

/// Answers each request on a thread of its own, since one may wait for a peer.
private final class SubjectAnswers: Sendable {
    private let world = BundledDrivers.world()
    private let descriptor: CInt
    private let channels = Mutex<[Int: any Channel]>([:])
    private let writing = Mutex(())

    init(to descriptor: CInt) { self.descriptor = descriptor }

    func take(_ request: SubjectMessage.SubjectRequest) {
        if let number = request.cancelled { channels.withLock { $0[number] }?.cancel() }
        if let number = request.closed { channels.withLock { $0[number] = nil } }
        guard request.entry != nil else { return }
        let isStarted = Worker.start { [self] in answer(request) }
        if !isStarted { answer(request) }
    }

    private func answer(_ request: SubjectMessage.SubjectRequest) {
        guard var entry = request.entry else { return }
        do throws(DriverError) {
            try fill(&entry, request)
        } catch {
            entry.failure = error
        }
        writing.withLock { _ in
            _ = SubjectMessage.write(SubjectMessage.SubjectAnswer(number: request.number, entry: entry), to: descriptor)
        }
    }

    private func fill(_ entry: inout Entry, _ request: SubjectMessage.SubjectRequest) throws(DriverError) {
        let path = SubjectPath.here(entry.of)
        let deadline = Instant(nanoseconds: request.deadline ?? 0)
        switch entry.ask {
        case .entries: entry.list = try world.entries(of: path)
        case .contents: entry.bytes = try world.contents(of: path, limit: request.limit ?? 0)
        case .status: entry.node = Entry.Node(try SubjectNode.status(of: path, in: world))
        case .account: entry.person = Entry.Person(world.account())
        case .connect:
            let words = request.endpoint ?? []
            guard words.count == 3, let number = entry.channel else {
                throw DriverError(.unsupported, subject: entry.of)
            }
            let channel = try world.channel(
                to: Endpoint(words[0], at: words[1], named: words[2]), until: deadline)
            channels.withLock { $0[number] = channel }
        case .send: try channel(of: entry).send(entry.bytes ?? [], until: deadline)
        case .receive: entry.bytes = try channel(of: entry).receive(limit: request.limit ?? 0, until: deadline)
        case .devices, .modules: throw DriverError(.unsupported, subject: entry.of)
        }
    }

    private func channel(of entry: Entry) throws(DriverError) -> any Channel {
        let channel = entry.channel.flatMap { number in channels.withLock { $0[number] } }
        guard let channel else { throw DriverError(.closed, subject: entry.of) }
        return channel
    }
}

/// Which paths are the subject's, and where it has them.
enum SubjectPath {
    /// What shows that a process is in a container.
    private static let marks: Set<String> = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"]

    /// Whether a path is looked up where the subject is; rules, groups and services are those of the machine.
    static func isOfSubject(_ path: FilePath) -> Bool {
        let text = path.string
        return text.hasPrefix("/dev/") || text.hasPrefix("/proc/") || marks.contains(text)
    }

    /// The path in the process that has entered: `/proc/self` is relative to its current folder.
    static func here(_ path: String) -> FilePath {
        FilePath(path.hasPrefix("/proc/self/") ? String(path.dropFirst("/proc/".count)) : path)
    }
}

/// What the kernel answers where a node is opened.
enum SubjectNode {
    /// The status of a node, which is really opened for reading if it is a device, and closed without being read.
    ///
    /// A device that another program uses answers EBUSY, after it was permitted. Source: Linux, `do_dentry_open`, which
    /// asks for permission before the driver.
    static func status(of node: FilePath, in world: LiveWorld) throws(DriverError) -> NodeStatus {
        var status = try world.status(of: node)
        guard node.string.hasPrefix("/dev/"), (try? Stat(node))?.type == .characterSpecial else { return status }
        let descriptor = unsafe open(node.string, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        let failure = descriptor < 0 ? Errno.current : nil
        if descriptor >= 0 { close(descriptor) }
        let isRefused = failure == .permissionDenied || failure == .notPermitted
        status.readable = !isRefused
        status.refusal = isRefused ? failure : nil
        if status.readable { status.right = status.right ?? status.right(of: .current) ?? .capability }
        return status
    }
}

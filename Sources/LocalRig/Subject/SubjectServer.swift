internal import DriverKit
internal import Glibc
internal import Linux
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// The child process that takes the place of a subject, and answers requests there until its parent ends.
package enum SubjectServer {
    /// The argument of such a process: this, the number of the process whose place it takes, a descriptor of its parent, and 1
    /// if it also takes over the filters of system calls.
    static let mark = "--subject-child="

    /// Whether this program can be started as such a process: its first act is `serveIfStarted`.
    nonisolated(unsafe) private(set) static var isAvailable = false

    /// Serves and ends if this process was started for that; to be called first, while it has one thread.
    package static func serveIfStarted() {
        unsafe isAvailable = true
        guard let word = CommandLine.arguments.dropFirst().first, word.hasPrefix(mark) else { return }
        let numbers = word.dropFirst(mark.count).split(separator: ":").compactMap { CInt($0) }
        guard numbers.count == 3, fcntl(numbers[1], F_SETFD, FD_CLOEXEC) == 0 else { return }
        let isDone = serve(on: numbers[1], enteringAs: numbers[0], copiesFilters: numbers[2] == 1)
        _exit(isDone ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private static func serve(on descriptor: CInt, enteringAs number: Int32, copiesFilters: Bool) -> Bool {
        // Loads libsystemd, which may be missing or another one in the subject's mount namespace.
        _ = try? BundledDrivers.world().channel(to: .systemBus("org.freedesktop.DBus"), until: .now)
        var greeting = SubjectMessage.SubjectGreeting()
        do throws(DriverError) {
            greeting.omissions = try ProcessEntry.enter(ProcessFacts(of: number), copiesFilters: copiesFilters)
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

/// The paths that are looked up in the subject's place.
enum SubjectPath {
    /// The files that show that a process is in a container.
    private static let marks: Set<String> = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"]

    /// Whether the subject's file counts; udev's rules, groups and services are those of the machine.
    static func isOfSubject(_ path: FilePath) -> Bool {
        let text = path.string
        return text.hasPrefix("/dev/") || text.hasPrefix("/proc/") || marks.contains(text)
    }

    /// Whether a path is the node of a sensor, which is opened to find out whether the subject may.
    static func isSensorNode(_ path: FilePath) -> Bool {
        path.string.hasPrefix("/dev/iio:device") || path.string.hasPrefix("/dev/input/event")
    }

    /// The path for the process in the subject's place, in which `self/…` is relative to its current folder.
    static func here(_ path: String) -> FilePath {
        FilePath(path.hasPrefix("/proc/self/") ? String(path.dropFirst("/proc/".count)) : path)
    }
}

/// Whether a node opens.
enum SubjectNode {
    /// Errors of a driver, which the kernel calls only after it has permitted the opening.
    ///
    /// Source: Linux, `do_dentry_open` in fs/open.c.
    private static let driverErrors: Set<Errno> = [
        .resourceBusy, .noSuchAddressOrDevice, .operationNotSupportedByDevice, .ioError,
    ]

    /// The status of a node; that of a sensor is opened for reading and closed, and nothing is read.
    ///
    /// Throws if the opening fails for a reason that says nothing about the right, such as a lack of descriptors.
    static func status(of node: FilePath, in world: LiveWorld) throws(DriverError) -> NodeStatus {
        var status = try world.status(of: node)
        guard SubjectPath.isSensorNode(node), (try? Stat(node))?.type == .characterSpecial else { return status }
        let descriptor = unsafe open(node.string, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        let failure = descriptor < 0 ? Errno.current : nil
        if descriptor >= 0 { close(descriptor) }
        switch failure {
        case nil: (status.readable, status.refusal) = (true, nil)
        case .permissionDenied?, .notPermitted?: (status.readable, status.refusal) = (false, failure)
        case let failure? where driverErrors.contains(failure): (status.readable, status.refusal) = (true, nil)
        case let failure?: throw DriverError(errno: failure, subject: node.string)
        }
        status.right = status.readable ? status.right(of: .current) ?? .capability : nil
        return status
    }
}

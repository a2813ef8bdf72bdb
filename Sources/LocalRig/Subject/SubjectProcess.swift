package import DriverKit
internal import CGlibc
internal import FoundationEssentials
internal import Glibc
internal import Linux
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// The parent's side of a child process in a subject's place.
///
/// The child is this program, started again, or the installed `rigready` where a library is used. It ends with its parent's
/// last reference. While it runs it is a member of the subject's control group, and the opening of an IIO device's node claims
/// its buffer for that moment; it reads and changes nothing else.
package final class SubjectProcess: Sendable {
    /// What it stands for.
    package let subject: AccessSubject
    /// The subject's account.
    package let account: Account
    /// What could not be taken over.
    package let omissions: [String]
    private let descriptor: FileDescriptor
    private let child: pid_t
    private let waiting = Mutex<(number: Int, answers: [Int: (Waker, Entry?)], isOver: Bool)>((0, [:], false))
    private let writing = Mutex(())

    /// How long a child may take to start and to enter.
    private static let patience = 5.0

    /// Starts the child and enters the subject; throws why it could not.
    package init(for subject: AccessSubject, by program: String = SubjectProcess.program) throws(DriverError) {
        let number = try subject.process
        let facts = try ProcessFacts(of: number)
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw DriverError(errno: .current, subject: "a socket")
        }
        defer { close(ends[1]) }
        guard let child = Self.spawn(program, entering: number, passing: ends[1]) else {
            close(ends[0])
            throw DriverError(.refused, errno: .noSuchFileOrDirectory, subject: program, detail: "it cannot be started")
        }
        descriptor = FileDescriptor(rawValue: ends[0])
        self.child = child
        self.subject = subject
        account = facts.account
        // A greeting that does not come is ended from here.
        var time = timeval(tv_sec: Int(Self.patience), tv_usec: 0)
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let greeting = SubjectMessage.read(SubjectMessage.SubjectGreeting.self, from: ends[0])
        time.tv_sec = 0
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        omissions = greeting?.omissions ?? []
        guard let greeting, greeting.failure == nil else {
            Self.end(child, descriptor)
            try? descriptor.close()
            throw DriverError(
                .refused, subject: subject.words, detail: greeting?.failure ?? "the process in its place did not start")
        }
        // The thread that reads also closes, when the other end is shut down.
        let descriptor = descriptor
        let isStarted = Worker.start { [weak self] in
            while let answer = SubjectMessage.read(SubjectMessage.SubjectAnswer.self, from: descriptor.rawValue) {
                self?.deliver(answer)
            }
            self?.finish()
            try? descriptor.close()
        }
        if !isStarted { finish() }
    }

    deinit { Self.end(child, descriptor) }

    private static func end(_ child: pid_t, _ descriptor: FileDescriptor) {
        shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
        kill(child, SIGKILL)
        var status: CInt = 0
        _ = unsafe waitpid(child, &status, 0)
    }

    // MARK: Requests

    /// A number for a conversation.
    func nextNumber() -> Int {
        waiting.withLock { state in
            state.number += 1
            return state.number
        }
    }

    /// Sends a request and waits for its answer, which comes by the request's own deadline; throws the subject's error.
    func answer(
        _ entry: Entry, limit: Int? = nil, until deadline: Instant? = nil, endpoint: [String]? = nil
    ) throws(DriverError) -> Entry {
        let done = try Waker()
        let number = waiting.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.number += 1
            state.answers[state.number] = (done, nil)
            return state.number
        }
        guard let number else { throw ended(entry.of) }
        let request = SubjectMessage.SubjectRequest(
            number: number, entry: entry, endpoint: endpoint, limit: limit, deadline: deadline?.nanoseconds)
        guard write(request) else { throw ended(entry.of) }
        let end = (deadline ?? .now).advanced(bySeconds: Self.patience)
        let isDone = done.wait(until: end)
        let answer = waiting.withLock { $0.answers.removeValue(forKey: number)?.1 }
        guard let answer else {
            throw isDone ? ended(entry.of) : DriverError(.timedOut, subject: entry.of)
        }
        if let failure = answer.failure { throw failure }
        return answer
    }

    func cancel(_ channel: Int) { _ = write(SubjectMessage.SubjectRequest(number: 0, cancelled: channel)) }

    func end(_ channel: Int) { _ = write(SubjectMessage.SubjectRequest(number: 0, closed: channel)) }

    private func write(_ request: SubjectMessage.SubjectRequest) -> Bool {
        writing.withLock { _ in SubjectMessage.write(request, to: descriptor.rawValue) }
    }

    private func deliver(_ answer: SubjectMessage.SubjectAnswer) {
        waiting.withLock { state in
            guard let (waker, _) = state.answers[answer.number] else { return }
            state.answers[answer.number] = (waker, answer.entry)
            waker.wake()
        }
    }

    private func finish() {
        waiting.withLock { state in
            state.isOver = true
            state.answers.values.forEach { $0.0.wake() }
        }
    }

    private func ended(_ name: String) -> DriverError {
        DriverError(.untried, subject: name, detail: "the process in the place of \(subject.words) has ended")
    }

    // MARK: The child

    /// The program to start: this one, if its first act is `SubjectServer.serveIfStarted`, else the installed one.
    package static var program: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let own = link.flatMap { FilePath($0).lastComponent?.string } ?? ""
        if own == "rigready" || own == "rigready-web" { return "/proc/self/exe" }
        let places = ["/usr/bin/rigready", "/usr/local/bin/rigready"]
        return places.first { unsafe access($0, X_OK) == 0 } ?? places[0]
    }

    // Source: posix_spawn(3). A descriptor that is duplicated onto itself stays open in the child.
    private static func spawn(_ program: String, entering number: Int32, passing descriptor: CInt) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor)
        let texts = ["rigready", "\(SubjectServer.mark)\(number):\(descriptor)"]
        let arguments = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        return unsafe posix_spawn(&child, program, &actions, nil, arguments, environ) == 0 ? child : nil
    }
}

extension AccessSubject {
    /// The process that stands for it now; throws if none runs.
    package var process: Int32 {
        get throws(DriverError) {
            switch self {
            case .process(let number): return number
            case .unit(let name):
                guard let number = Self.processes(ofGroup: name).first else {
                    throw DriverError(
                        .refused, errno: .noSuchProcess, subject: words,
                        detail: "it is not running; start it, such as: systemctl start \(name)")
                }
                return number
            case .container(let name):
                if let number = Int32(name) { return number }
                let world = LiveWorld(drivers: [])
                let machine = FilePath("/run/systemd/machines").appending(name)
                let record = (try? world.contents(of: machine, limit: 64 << 10)) ?? []
                let lines = String(decoding: record, as: UTF8.self).split(separator: "\n")
                if let leader = lines.first(where: { $0.hasPrefix("LEADER=") }).flatMap({ Int32($0.dropFirst(7)) }) {
                    return leader
                }
                throw DriverError(
                    .refused, errno: .noSuchProcess, subject: words,
                    detail: "it is no running machine of systemd; give the number of a process in it, such as: "
                        + "podman inspect --format '{{.State.Pid}}' \(name)")
            }
        }
    }

    /// The processes of the control group that is named like a unit, the first started first.
    private static func processes(ofGroup name: String) -> [Int32] {
        let world = LiveWorld(drivers: [])
        let roots: [FilePath] = ["/sys/fs/cgroup", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified"]
        for root in roots {
            var folders = [root]
            // Slices lie in slices.
            for _ in 0..<8 where !folders.isEmpty {
                if let found = folders.map({ $0.appending(name) }).first(where: world.exists) {
                    let bytes = (try? world.contents(of: found.appending("cgroup.procs"), limit: 1 << 20)) ?? []
                    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
                        .sorted()
                }
                folders = folders.flatMap { folder in
                    let names = (try? world.entries(of: folder)) ?? []
                    return names.filter { $0.hasSuffix(".slice") || $0.hasSuffix(".service") }.map {
                        folder.appending($0)
                    }
                }
            }
        }
        return []
    }
}

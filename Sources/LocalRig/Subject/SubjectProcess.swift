package import DriverKit
internal import CGlibc
internal import Glibc
internal import Linux
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// A child process in a subject's place, which answers a driver's requests.
///
/// The child is this program, started again; for a program that uses a library it is the installed `rigready`. It ends when
/// the last reference to this object does. While it runs, it is a member of the subject's control group, and opening the node of
/// an IIO device claims its buffer for that moment. It changes nothing else.
package final class SubjectProcess: Sendable {
    /// The subject whose place it takes.
    package let subject: AccessSubject
    /// The subject's account.
    package let account: Account
    /// The parts of the subject that could not be taken over.
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
        // A child that does not greet in time is ended; later only requests have a deadline.
        var time = timeval(tv_sec: Int(Self.patience), tv_usec: 0)
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
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

    /// Ends the child; a thread collects its status, which may take as long as a call in the kernel blocks.
    private static func end(_ child: pid_t, _ descriptor: FileDescriptor) {
        shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
        kill(child, SIGKILL)
        _ = Worker.start {
            var status: CInt = 0
            _ = unsafe waitpid(child, &status, 0)
        }
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
        guard write(request) else {
            // A part of a request may have been sent, after which no other can follow.
            finish()
            throw ended(entry.of)
        }
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

    /// The program of the child: this one if it can serve, otherwise the installed one.
    package static var program: String {
        if unsafe SubjectServer.isAvailable { return "/proc/self/exe" }
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
    /// The process whose rights are evaluated; throws if none runs.
    package var process: Int32 {
        get throws(DriverError) {
            switch self {
            case .process(let number): return number
            case .unit(let name): return try Self.process(ofUnit: name, words)
            case .container(let name):
                if let number = Int32(name) { return number }
                return try Self.leader(ofMachine: name, words)
            }
        }
    }

    // Source: systemd, src/machine/machine.c, which writes the record.
    private static func leader(ofMachine name: String, _ words: String) throws(DriverError) -> Int32 {
        let file = FilePath("/run/systemd/machines").appending(name)
        let record = name.contains("/") ? nil : try? LiveWorld(drivers: []).contents(of: file, limit: 64 << 10)
        let lines = String(decoding: record ?? [], as: UTF8.self).split(separator: "\n")
        let leader = lines.first { $0.hasPrefix("LEADER=") }.flatMap { Int32($0.dropFirst("LEADER=".count)) }
        guard let leader else {
            throw DriverError(
                .refused, errno: .noSuchProcess, subject: words,
                detail:
                    "no running machine of systemd has this name; give the number of a process in the container: podman "
                    + "inspect --format '{{.State.Pid}}' \(ShellWord.shown(name))")
        }
        return leader
    }

    /// The process with the lowest number in the control group of a unit, which is named like the unit.
    private static func process(ofUnit name: String, _ words: String) throws(DriverError) -> Int32 {
        let world = LiveWorld(drivers: [])
        func failure(_ detail: String) -> DriverError {
            DriverError(.refused, errno: .noSuchProcess, subject: words, detail: detail)
        }
        if name.contains("/") { throw failure("expected the name of a unit, such as gpsd.service") }
        let roots: [FilePath] = ["/sys/fs/cgroup", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified"]
        for root in roots {
            var folders = [root]
            // Slices lie in slices, and the units of a user in the unit of its manager.
            for _ in 0..<8 where !folders.isEmpty {
                if let found = folders.map({ $0.appending(name) }).first(where: world.exists) {
                    let bytes = (try? world.contents(of: found.appending("cgroup.procs"), limit: 1 << 20)) ?? []
                    let numbers = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
                    if let number = numbers.min() { return number }
                    throw failure("its processes are in control groups below \(found); give one with --as-pid")
                }
                folders = folders.flatMap { folder in
                    let names = (try? world.entries(of: folder)) ?? []
                    return names.filter { $0.hasSuffix(".slice") || $0.hasSuffix(".service") }.map {
                        folder.appending($0)
                    }
                }
            }
        }
        throw failure("the unit does not run; start it: systemctl start \(ShellWord.shown(name))")
    }
}

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
    /// The unit in which a process has the sandbox of a unit that does not run.
    private let sandbox: TransientUnit?
    private let waiting = Mutex<(number: Int, answers: [Int: (Waker, Entry?)], isOver: Bool)>((0, [:], false))
    private let writing = Mutex(())

    /// How long a child may take to start and to enter.
    private static let patience = 5.0

    /// Starts the child and enters the subject; throws why it could not.
    package init(for subject: AccessSubject, by program: String = SubjectProcess.program) throws(DriverError) {
        let place = try subject.place
        let facts = try ProcessFacts(of: place.process)
        let copies = facts.isFiltered
        var start = try Self.start(program, entering: place.process, copiesFilters: copies)
        // A filter may end the child, and a process in a call that cannot be interrupted does not show its filters.
        if copies, start.greeting?.failure != nil || start.greeting == nil {
            Self.end(start.child, start.descriptor, closes: true)
            start = try Self.start(program, entering: place.process, copiesFilters: false)
        }
        guard let greeting = start.greeting, greeting.failure == nil else {
            Self.end(start.child, start.descriptor, closes: true)
            throw DriverError(
                .refused, subject: subject.words,
                detail: start.greeting?.failure ?? "the process in its place did not start")
        }
        (descriptor, child) = (start.descriptor, start.child)
        sandbox = place.sandbox
        self.subject = subject
        account = facts.account
        omissions = greeting.omissions + (place.sandbox?.omissions ?? [])
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

    deinit { Self.end(child, descriptor, closes: false) }

    /// Starts a child and waits for its greeting; a child that does not greet in time is to be ended.
    private static func start(
        _ program: String, entering number: Int32, copiesFilters: Bool
    ) throws(DriverError) -> (descriptor: FileDescriptor, child: pid_t, greeting: SubjectMessage.SubjectGreeting?) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw DriverError(errno: .current, subject: "a socket")
        }
        let word = "\(SubjectServer.mark)\(number):\(ends[1]):\(copiesFilters ? 1 : 0)"
        let child = spawn(program, word, passing: ends[1])
        close(ends[1])
        guard let child else {
            close(ends[0])
            throw DriverError(.refused, errno: .noSuchFileOrDirectory, subject: program, detail: "it cannot be started")
        }
        var time = timeval(tv_sec: Int(patience), tv_usec: 0)
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let greeting = SubjectMessage.read(SubjectMessage.SubjectGreeting.self, from: ends[0])
        // Later only requests have a deadline.
        time.tv_sec = 0
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        return (FileDescriptor(rawValue: ends[0]), child, greeting)
    }

    /// Ends the child; a thread collects its status, which may take as long as a call in the kernel blocks.
    private static func end(_ child: pid_t, _ descriptor: FileDescriptor, closes: Bool) {
        shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
        if closes { try? descriptor.close() }
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
    private static func spawn(_ program: String, _ argument: String, passing descriptor: CInt) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor)
        let texts = ["rigready", argument]
        let arguments = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        return unsafe posix_spawn(&child, program, &actions, nil, arguments, environ) == 0 ? child : nil
    }
}

extension AccessSubject {
    /// The process whose rights are evaluated, and the sandbox that it runs in if it was started for that; throws if there is none.
    fileprivate var place: (process: Int32, sandbox: TransientUnit?) {
        get throws(DriverError) {
            switch self {
            case .process(let number): return (number, nil)
            case .unit(let name):
                if name.contains("/") { throw failure("expected the name of a unit, such as gpsd.service") }
                if let number = try RunningSubject.process(ofUnit: name, words) { return (number, nil) }
                return try Self.sandbox(of: name, words)
            case .container(let name):
                if let number = try RunningSubject.process(ofContainer: name, words) ?? Int32(name) {
                    return (number, nil)
                }
                throw failure(
                    "no running container of systemd, Podman, Docker or Kubernetes has this name or identifier")
            }
        }
    }

    private func failure(_ detail: String) -> DriverError {
        DriverError(.refused, errno: .noSuchProcess, subject: words, detail: detail)
    }

    /// Starts a process with the sandbox of a unit that does not run.
    private static func sandbox(of name: String, _ words: String) throws(DriverError) -> (Int32, TransientUnit) {
        let deadline = Instant.now.advanced(bySeconds: 5)
        let unit = try rethrowing(
            as: { (error: DriverError) in
                DriverError(
                    error.code, errno: error.errno, subject: words,
                    detail: "the unit does not run, and its sandbox cannot be started: \(error.reason)")
            },
            try TransientUnit(like: name, until: deadline))
        let world = LiveWorld(drivers: [])
        while Instant.now < deadline {
            // Before it executes the program, the process is systemd's own.
            if let number = try RunningSubject.process(ofUnit: unit.name, words),
                world.line(of: FilePath("/proc/\(number)/comm")) == "cat"
            {
                return (number, unit)
            }
            usleep(20_000)
        }
        throw DriverError(
            .refused, errno: .noSuchProcess, subject: words,
            detail: "the unit does not run, and its sandbox has not started; journalctl -u \(unit.name) shows why")
    }
}

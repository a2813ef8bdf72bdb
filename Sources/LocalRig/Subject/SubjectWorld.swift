package import DriverKit
internal import Linux
internal import Readiness
internal import Synchronization
package import SystemPackage

/// This machine with the rights of a subject: the sensors are the machine's, and a process in the subject's place tries the
/// nodes, sockets and services.
package struct SubjectWorld: World {
    private let machine: LiveWorld
    private let process: SubjectProcess

    init(_ process: SubjectProcess, on machine: LiveWorld) {
        self.machine = machine
        self.process = process
    }

    package var subject: AccessSubject? { process.subject }
    package func now() -> Instant { machine.now() }
    package func devices(in subsystem: String) throws(DriverError) -> [FilePath] { try machine.devices(in: subsystem) }
    package func modules(for alias: String) throws(DriverError) -> [String] { try machine.modules(for: alias) }

    package func loggedRefusals() -> [String] { machine.loggedRefusals() }

    package func devices(in subsystem: String, besides names: Set<String>) throws(DriverError) -> [FilePath] {
        try machine.devices(in: subsystem, besides: names)
    }

    package func entries(of folder: FilePath) throws(DriverError) -> [String] {
        guard SubjectPath.isOfSubject(folder) else { return try machine.entries(of: folder) }
        return try process.answer(Entry(.entries, folder.string)).list ?? []
    }

    package func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        guard SubjectPath.isOfSubject(file) else { return try machine.contents(of: file, limit: limit) }
        return try process.answer(Entry(.contents, file.string), limit: limit).bytes ?? []
    }

    /// The status of a node, by opening it if it is a sensor's; if only the machine has it, it is not readable, and the
    /// refusal is ENOENT.
    package func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        guard SubjectPath.isOfSubject(node) else { return try machine.status(of: node) }
        if SubjectPath.isSensorNode(node) { try checkComplete(besides: [ProcessEntry.filter], node.string) }
        do throws(DriverError) {
            guard let status = try process.answer(Entry(.status, node.string)).node?.status else {
                throw DriverError(.malformed, subject: node.string)
            }
            return status
        } catch {
            guard error.errno == .noSuchFileOrDirectory, SubjectPath.isSensorNode(node),
                var status = try? machine.status(of: node)
            else { throw error }
            (status.readable, status.right, status.refusal) = (false, nil, .noSuchFileOrDirectory)
            return status
        }
    }

    package func account() throws(DriverError) -> Account { process.account.withLoginGroups }

    /// A conversation in the subject's place.
    ///
    /// `untried` if a part of the subject that may decide could not be taken over, such as its filter of system calls,
    /// which decides about sockets.
    package func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        if endpoint == .uevents { return try machine.channel(to: endpoint, until: deadline) }
        // The state of radios is the machine's.
        if endpoint.kind == "rfkill" { return try machine.channel(to: endpoint, until: deadline) }
        try checkComplete(besides: [], endpoint.description)
        do throws(DriverError) {
            return try SubjectChannel(to: endpoint, of: process, until: deadline)
        } catch {
            guard endpoint.kind == Endpoint.systemBusKind, error.code == .refused,
                error.errno == .noSuchFileOrDirectory,
                machine.exists(FilePath(HostMount.systemBus.rawValue))
            else { throw error }
            throw DriverError(
                .confined, errno: error.errno, subject: error.subject,
                detail: "this machine has the socket of the bus, but the files of \(process.subject.words) do not")
        }
    }

    /// Throws if a part of the subject that may decide was not taken over.
    private func checkComplete(besides harmless: Set<String>, _ name: String) throws(DriverError) {
        guard let omission = process.omissions.first(where: { !harmless.contains($0) }) else { return }
        throw DriverError(
            .untried, subject: name, detail: "cannot take over \(omission) of \(process.subject.words)")
    }
}

private final class SubjectChannel: Channel {
    private let process: SubjectProcess
    private let endpoint: String
    private let number: Int

    init(to endpoint: Endpoint, of process: SubjectProcess, until deadline: Instant) throws(DriverError) {
        self.process = process
        self.endpoint = endpoint.description
        number = process.nextNumber()
        _ = try process.answer(
            Entry(.connect, endpoint.description, channel: number), until: deadline,
            endpoint: [endpoint.kind, endpoint.address, endpoint.description])
    }

    deinit { process.end(number) }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        var entry = Entry(.send, endpoint, channel: number)
        entry.bytes = frame
        _ = try process.answer(entry, until: deadline)
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        try process.answer(Entry(.receive, endpoint, channel: number), limit: limit, until: deadline).bytes ?? []
    }

    func cancel() { process.cancel(number) }
}

extension Entry {
    fileprivate init(_ ask: Ask, _ subject: String, channel: Int? = nil) {
        self.init(driver: "", at: 0, ask: ask, of: subject, channel: channel)
    }
}

internal import DriverKit
internal import FoundationEssentials
internal import SystemPackage

/// One request of a driver and the world's answer: one line of a recording.
struct Entry: Codable, Sendable, Equatable {
    enum Ask: String, CaseIterable, Codable {
        case devices, modules, entries, contents, status, account, connect, send, receive
    }

    /// An error that the world threw.
    struct Refusal: Codable, Equatable {
        var code: String
        var errno: Int32?
        var subject: String
        var detail: String?
    }

    struct Node: Codable, Equatable {
        var owner, group: UInt32
        var mode: UInt16
        var readable: Bool
        /// The entries of its access control list; absent in older recordings.
        var entries: [String]?
        /// The right by which it is readable, as one word; absent in older recordings.
        var right: String?
        /// When its inode last changed, in nanoseconds since 1970; absent in older recordings.
        var changed: Int64?
        /// The kernel's error number if it is not readable; absent where access was computed, and in older recordings.
        var refusal: Int32?

        init(_ status: NodeStatus) {
            (owner, group, mode, readable) = (status.owner, status.group, status.mode, status.readable)
            entries = status.entries.isEmpty ? nil : status.entries.map(\.id)
            (right, changed, refusal) = (status.right?.id, status.changed, status.refusal?.rawValue)
        }

        var status: NodeStatus {
            NodeStatus(
                owner: owner, group: group, mode: mode, entries: (entries ?? []).compactMap(AccessEntry.init),
                readable: readable, right: right.flatMap(AccessRight.init), changed: changed,
                refusal: refusal.map { Errno(rawValue: $0) })
        }
    }

    /// The account whose access was evaluated.
    struct Person: Codable, Equatable {
        var user: UInt32
        var groups: [UInt32]
        var loginGroups: [UInt32]?

        init(_ account: Account) {
            user = account.user
            groups = account.groups.sorted()
            loginGroups = account.loginGroups?.sorted()
        }

        var account: Account {
            Account(user: user, groups: Set(groups), loginGroups: loginGroups.map { Set($0) })
        }
    }

    var driver: String
    /// Seconds since the recording began.
    var at: Double
    var ask: Ask
    /// The subsystem, MODALIAS, path or endpoint of the request.
    var of: String
    /// The conversation of this recording, from 0.
    var channel: Int?
    var list: [String]?
    var text: String?
    var base64: String?
    var node: Node?
    var person: Person?
    var error: Refusal?

    /// The bytes of the answer, from text or base 64.
    var bytes: [UInt8]? {
        get {
            if let text { return Array(text.utf8) }
            return base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        }
        set {
            text = nil
            base64 = nil
            guard let newValue else { return }
            let isPlain = newValue.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
            if isPlain, let string = String(validating: newValue, as: UTF8.self) {
                text = string
            } else {
                base64 = Data(newValue).base64EncodedString()
            }
        }
    }

    /// What a line lacks that its request needs, or is wrong with its names; nil for a complete one.
    ///
    /// A line without its answer must not be read as an empty answer.
    func flaw(isAnswered: Bool = true) -> String? {
        for name in [of] + (list ?? []) {
            if name.utf8.contains(0) { return "a name holds a zero byte" }
            // PATH_MAX
            if name.utf8.count > 4096 { return "a name is longer than 4096 bytes" }
        }
        if base64 != nil && text == nil && bytes == nil { return "\"base64\" is not base 64" }
        if [.connect, .send, .receive].contains(ask) && channel == nil { return "\"channel\" is missing" }
        guard isAnswered, error == nil else { return nil }
        return switch ask {
        case .devices, .modules, .entries: list == nil ? "\"list\" is missing" : nil
        case .contents, .send, .receive: bytes == nil ? "\"text\" or \"base64\" is missing" : nil
        case .status: node == nil ? "\"node\" is missing" : nil
        case .account: person == nil ? "\"person\" is missing" : nil
        case .connect: nil
        }
    }

    /// The bytes of the line, at most.
    var lineSize: Int {
        func escaped(_ text: String) -> Int {
            text.utf8.reduce(2) { $0 + ($1 < 0x20 || $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
        }
        var size = 96 + escaped(driver) + escaped(of) + (text.map(escaped) ?? 0) + (base64?.utf8.count ?? 0)
        size += (list ?? []).reduce(0) { $0 + escaped($1) + 1 }
        if let node { size += 184 + (node.entries ?? []).reduce(0) { $0 + escaped($1) + 1 } }
        if let person { size += 64 + (person.groups.count + (person.loginGroups?.count ?? 0)) * 11 }
        if let error { size += 96 + escaped(error.subject) + escaped(error.detail ?? "") }
        return size
    }

    /// Whether no answer ever came.
    var isUnanswered: Bool { error?.code == DriverError.Code.unanswered.rawValue }

    /// The error that the world threw.
    var failure: DriverError? {
        get {
            error.map { refusal in
                DriverError(
                    .init(rawValue: refusal.code), errno: refusal.errno.map { Errno(rawValue: $0) },
                    subject: refusal.subject, detail: refusal.detail ?? "")
            }
        }
        set {
            error = newValue.map { error in
                Refusal(
                    code: error.code.rawValue, errno: error.errno?.rawValue, subject: error.subject,
                    detail: error.detail.isEmpty ? nil : error.detail)
            }
        }
    }
}

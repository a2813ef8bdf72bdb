internal import DriverKit
internal import Readiness
internal import SystemPackage

/// Why gpsd does not answer at its address, which decides what makes it answer.
enum ConnectionFault: Sendable, Equatable {
    /// Nothing listens there.
    case refused
    /// The host's name has no address.
    case unresolved
    /// The host does not answer; the kernel's reason, nil if it was waited for in vain.
    case unreached(Errno?)
    /// Another program listens there, or one that sends nothing.
    case foreign(isMute: Bool)
    /// gpsd has answered, and no longer does.
    case stuck
    /// gpsd has closed the connection.
    case ended

    /// Whether an answer that takes longer is still possible.
    var isLate: Bool {
        switch self {
        case .unreached(nil), .unreached(.timedOut), .foreign(isMute: true), .stuck: true
        case .refused, .unresolved, .unreached, .foreign, .ended: false
        }
    }
}

enum DeviceListResponse: Sendable {
    case answered(release: String?, [Message.GPSDDevice])
    case denied(DriverError)
    /// Nothing answers as gpsd; the reason in one clause.
    case unreachable(String, Evidence, ConnectionFault)
    /// It could not be asked: the recording lacks it, or the request was cancelled.
    case unknown(DriverError)

    /// What a peer has sent so far.
    enum Received {
        case nothing
        /// Lines that gpsd does not send.
        case other(lines: Int)
        case gpsd
    }

    /// gpsd's own refusal to list its devices.
    init(refusal words: String, _ address: GPSDAddress) {
        self = Self.failure("gpsd refuses to list its devices: \(words)", nil, .stuck, address)
    }

    /// The failure of a connection; `received` is what the peer sent before, nil if no connection was made.
    init(_ error: DriverError, _ address: GPSDAddress, after received: Received? = nil) {
        let clause: String
        let fault: ConnectionFault
        switch (error.code, received) {
        case (.notRecorded, _), (.cancelled, _), (.unsupported, _), (.untried, _):
            self = .unknown(error)
            return
        case _ where error.isDenied:
            self = .denied(error)
            return
        // Without a number, only a name that has no address is refused.
        case (.refused, nil) where error.errno == nil:
            (clause, fault) = ("gpsd's host is not found: \(error.reason)", .unresolved)
        case (_, nil):
            clause = "gpsd does not answer at \(address.text): \(error.reason)"
            fault = error.errno == .connectionRefused ? .refused : .unreached(error.errno)
        case (.timedOut, .gpsd):
            (clause, fault) = ("gpsd answers at \(address.text), but does not list its devices", .stuck)
        case (_, .gpsd):
            (clause, fault) = ("gpsd at \(address.text) closed the connection", .ended)
        case (_, .other(let lines)):
            clause = "the server at \(address.text) is not gpsd (\(lines) lines that gpsd does not send)"
            fault = .foreign(isMute: false)
        case (.timedOut, _):
            (clause, fault) = ("\(address.text) accepts the connection and sends nothing", .foreign(isMute: true))
        default:
            clause = "\(address.text) accepts the connection and closes it without reply"
            fault = .foreign(isMute: true)
        }
        self = Self.failure(clause, error, fault, address)
    }

    private static func failure(
        _ clause: String, _ error: DriverError?, _ fault: ConnectionFault, _ address: GPSDAddress
    ) -> DeviceListResponse {
        .unreachable(
            clause, Evidence(path: address.text, errno: error?.errno?.name, said: error?.reason ?? clause), fault)
    }

    /// Why gpsd does not answer, in one clause; nil if it does.
    var clause: String? {
        switch self {
        case .answered: nil
        case .denied(let error) where error.code == .confined: "gpsd cannot be queried: \(error.reason)"
        case .denied(let error): "this user may not connect to \(error.subject)"
        case .unknown(let error): "gpsd could not be queried: \(error.reason)"
        case .unreachable(let clause, _, _): clause
        }
    }

    /// What makes gpsd answer; `nodes` are those of the receivers that it is to read.
    func remedies(at address: GPSDAddress, in world: any World, nodes: [String]) -> [Remedy] {
        switch self {
        case .answered: []
        case .denied(let error): ReceiverRemedies(address: address).admission(after: error, in: world)
        case .unknown(let error): ReceiverRemedies(address: address).asking(after: error)
        case .unreachable(_, _, let fault):
            OpeningRemedies(world: world, address: address, nodes: nodes, fault: fault).remedies
        }
    }
}

internal import DriverKit
internal import Readiness

/// The result of asking gpsd for its devices.
enum DeviceListResponse: Sendable {
    /// gpsd answered; its release, if it names one.
    case answered(release: String?, [Message.GPSDDevice])
    /// The operating system does not let this user connect.
    case denied(DriverError)
    /// Nothing answers as gpsd; the reason in one clause.
    case unreachable(String, Evidence)
    /// It could not be asked: the recording lacks it, or the request was cancelled.
    case unknown(DriverError)

    /// Asks over a new connection, which opens no receiver; data after the answer is left unread.
    static func ask(
        _ connection: inout GPSDConnection, at address: GPSDAddress, in world: any World, until end: Instant
    ) -> DeviceListResponse {
        do throws(DriverError) {
            try connection.ask("?DEVICES;", until: end)
            while world.now() < end && !connection.isForeign {
                let messages = try connection.listen(until: end)
                for (index, message) in messages.enumerated() {
                    switch message {
                    case .devices(let devices):
                        connection.unread = Array(messages[(index + 1)...])
                        return .answered(release: connection.release, devices)
                    case .error(let words):
                        return failure("gpsd refuses to list its devices: \(words)", nil, address)
                    default: break
                    }
                }
            }
        } catch {
            return DeviceListResponse(error, address, after: connection)
        }
        return DeviceListResponse(
            DriverError(.timedOut, subject: address.endpoint.description), address, after: connection)
    }

    /// An error of connecting, or of the connection so far.
    init(_ error: DriverError, _ address: GPSDAddress, after connection: GPSDConnection? = nil) {
        let clause: String
        switch (error.code, connection) {
        case (.notRecorded, _), (.cancelled, _), (.unsupported, _):
            self = .unknown(error)
            return
        case _ where error.isDenied:
            self = .denied(error)
            return
        case (_, nil): clause = "gpsd does not answer at \(address.text): \(error.reason)"
        case (_, let some?) where some.isUnderstood && error.code == .timedOut:
            clause = "gpsd answers at \(address.text), but does not list its devices"
        case (_, let some?) where some.isUnderstood: clause = "gpsd at \(address.text) closed the connection"
        case (_, let some?) where !some.isMute:
            clause = "what answers at \(address.text) is not gpsd (\(some.skipped) lines that gpsd does not send)"
        case (.timedOut, _): clause = "\(address.text) accepts the connection and says nothing"
        default: clause = "\(address.text) accepts the connection and closes it without reply"
        }
        self = Self.failure(clause, error, address)
    }

    private static func failure(_ clause: String, _ error: DriverError?, _ address: GPSDAddress) -> DeviceListResponse {
        .unreachable(
            clause, Evidence(path: address.text, errno: error?.errno?.name, said: error?.reason ?? clause))
    }
}

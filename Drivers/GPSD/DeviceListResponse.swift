internal import DriverKit
internal import Readiness

/// What came of asking gpsd for its devices.
enum DeviceListResponse: Sendable {
    /// gpsd answered.
    case answered(GPSDConnection, [Message.GPSDDevice])
    /// The operating system does not let this user connect.
    case denied(DriverError)
    /// Nothing answers as gpsd; why, in one clause.
    case unreachable(String, Evidence)
    /// It could not be asked from here: the recording lacks it, or somebody cancelled.
    case untold(DriverError)

    /// Asks the gentle question over a new channel, which opens no receiver.
    static func ask(_ channel: any Channel, at address: GPSDAddress, in world: any World, until end: Instant)
        -> DeviceListResponse
    {
        var conversation = GPSDConnection(channel)
        do throws(DriverError) {
            try conversation.ask("?DEVICES;", until: end)
            while world.now() < end && !conversation.isForeign {
                for message in try conversation.listen(until: end) {
                    switch message {
                    case .devices(let devices): return .answered(conversation, devices)
                    case .error(let words):
                        return failure("gpsd refuses to list its devices: \(words)", nil, address)
                    default: break
                    }
                }
            }
        } catch {
            return DeviceListResponse(error, address, after: conversation)
        }
        return DeviceListResponse(
            DriverError(.timedOut, subject: address.endpoint.description), address, after: conversation)
    }

    /// A fault of connecting, or of the conversation so far.
    init(_ error: DriverError, _ address: GPSDAddress, after conversation: GPSDConnection? = nil) {
        let clause: String
        switch (error.code, conversation) {
        case (.notRecorded, _), (.cancelled, _), (.unsupported, _):
            self = .untold(error)
            return
        case _ where error.isDenied:
            self = .denied(error)
            return
        case (_, nil): clause = "gpsd does not answer at \(address.text): \(error.reason)"
        case (_, let some?) where some.isUnderstood && error.code == .timedOut:
            clause = "gpsd greets at \(address.text), and does not list its devices"
        case (_, let some?) where some.isUnderstood: clause = "gpsd at \(address.text) ended the conversation"
        case (_, let some?) where !some.isMute:
            clause = "what answers at \(address.text) is not gpsd (\(some.skipped) lines that are none of its)"
        case (.timedOut, _): clause = "\(address.text) accepts the connection and says nothing"
        default: clause = "\(address.text) accepts the connection and closes it without a word"
        }
        self = Self.failure(clause, error, address)
    }

    private static func failure(_ clause: String, _ error: DriverError?, _ address: GPSDAddress) -> DeviceListResponse {
        .unreachable(
            clause, Evidence(path: address.text, errno: error?.errno?.name, said: error?.reason ?? clause))
    }
}

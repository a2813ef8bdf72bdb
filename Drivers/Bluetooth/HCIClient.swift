package import DriverKit

/// Asks the kernel's HCI socket about its controllers: the fallback if the management interface does not answer.
///
/// The frames of the endpoint `hci`: a frame sent is the number of an ioctl (4 bytes, little-endian) followed by its
/// argument as laid out in memory; the frame received is the argument as the kernel left it. Only HCIGETDEVLIST and
/// HCIGETDEVINFO exist. An error of the ioctl is thrown by `send`.
package struct HCIClient {
    /// The number of controllers that one list is asked for; the kernel refuses more than two pages.
    package static let maximumCount: UInt16 = 256

    private let channel: any Channel

    /// Makes a client of an open channel, which nothing else may use meanwhile.
    package init(_ channel: any Channel) { self.channel = channel }

    /// Every controller of the kernel, including those that another process owns.
    package func controllers(until deadline: Instant) throws(DriverError) -> [UInt16] {
        var request: [UInt8] = []
        request.append(HCIRequest.deviceList.rawValue)
        request.append(Self.maximumCount)
        request += [UInt8](repeating: 0, count: 2 + 8 * Int(Self.maximumCount))
        try channel.send(request, until: deadline)
        return try Self.parse(list: try channel.receive(limit: request.count, until: deadline))
    }

    /// Parses a `struct hci_dev_list_req`: a count (2 bytes), two bytes of padding, then index (2 bytes), padding and
    /// flags (4) of each controller.
    package static func parse(list bytes: [UInt8]) throws(DriverError) -> [UInt16] {
        guard let count = bytes.uint16(at: 0), bytes.count >= 4 + 8 * Int(count) else {
            throw DriverError(
                .malformed, subject: Endpoint.hci.description,
                detail: "a list of \(bytes.count) bytes, which its count does not match")
        }
        let indices = (0..<Int(count)).compactMap { bytes.uint16(at: 4 + 8 * $0) }
        return Set(indices).sorted()
    }

    /// Asks one controller; never throws, so that an error affects that controller only.
    package func information(of index: UInt16, until deadline: Instant) -> ControllerAnswer {
        var request: [UInt8] = []
        request.append(HCIRequest.deviceInformation.rawValue)
        request.append(index)
        request += [UInt8](repeating: 0, count: 90)
        do throws(DriverError) {
            try channel.send(request, until: deadline)
            let bytes = try channel.receive(limit: 256, until: deadline)
            guard bytes.uint16(at: 0) == index else {
                throw DriverError(
                    .malformed, subject: Endpoint.hci.description, detail: "information of another controller")
            }
            return .information(try ControllerInformation(hci: bytes))
        } catch {
            return .failed(error)
        }
    }
}

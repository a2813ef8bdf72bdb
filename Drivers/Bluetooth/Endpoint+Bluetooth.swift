package import DriverKit

extension Endpoint {
    /// The Bluetooth management control channel; a frame is one packet.
    package static let management = Endpoint("bluetooth-management", named: "the Bluetooth management socket")
    /// The HCI device ioctls; a frame sent is an ioctl's number and argument, a frame received its answer.
    package static let hci = Endpoint("bluetooth-hci", named: "the Bluetooth HCI socket")
    /// `/dev/rfkill`; a frame is one `struct rfkill_event`.
    package static let rfkill = Endpoint("rfkill", named: "/dev/rfkill")
}

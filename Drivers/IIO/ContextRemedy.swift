internal import DriverKit
internal import Readiness

/// What fixes a libiio context that did not open.
struct ContextRemedy {
    /// The context.
    let uri: String

    /// The remedy of an error; never empty.
    func remedies(for error: DriverError) -> [Remedy] {
        if error.isDenied { return access }
        switch error.code {
        case .unsupported: return [.command("sudo apt-get install libiio0")]
        case .notRecorded: return DeviceHost.recordAgain
        case .cancelled: return [.option(.again)]
        default: break
        }
        if uri.hasPrefix("xml:") { return [.advice("name a file that libiio wrote, as iio_genxml does")] }
        if let address = HostPort(context: uri) {
            return [.advice("check that iiod runs at \(address.host) and listens on port \(address.port)")]
        }
        return [.advice("plug the device in, and see iio_info -s")]
    }

    /// What lets this user open it after the operating system refused.
    var access: [Remedy] {
        if uri.hasPrefix("xml:") {
            return ShellWord.quoted(String(uri.dropFirst(4))).map { [.command("sudo chmod a+r \($0)")] } ?? [
                .option(.asRoot)
            ]
        }
        if uri.hasPrefix("usb:") {
            // libiio's own udev rule permits everybody to open its devices, and finds them with iio_info.
            guard let node else {
                return [
                    .command(
                        "sudo apt-get install libiio-utils"
                            + " && sudo udevadm trigger --subsystem-match=usb --action=change")
                ]
            }
            return [
                .command(
                    "sudo setfacl -m \"u:$(id -un):rw\" \(node)",
                    note: "for now; permanently, libiio's udev rule: sudo apt-get install libiio-utils")
            ]
        }
        if let address = HostPort(context: uri) {
            return [.command("sudo nft list ruleset", note: "a rule of this machine forbids port \(address.port)")]
        }
        return [.option(.asRoot)]
    }

    /// The node of `usb:BUS.DEVICE[.INTERFACE]`.
    private var node: String? {
        let numbers = uri.dropFirst(4).split(separator: ".").map { UInt16($0) }
        guard 2...3 ~= numbers.count, let bus = numbers[0], let device = numbers[1], bus < 1000, device < 1000 else {
            return nil
        }
        func padded(_ number: UInt16) -> String { String(String(1000 + number).dropFirst()) }
        return "/dev/bus/usb/\(padded(bus))/\(padded(device))"
    }
}

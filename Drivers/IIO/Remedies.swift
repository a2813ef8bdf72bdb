internal import DriverKit
internal import Readiness
internal import SystemPackage

enum DeviceHost {
    case local(FilePath)
    case remote(uri: String, device: ContextDescription.ContextDevice)

    /// What would make an unavailable sensor available; never empty.
    func remedies(for sample: Sample, of sensor: Sensor) -> [Remedy] {
        if sample.refusal?.code == .notRecorded { return [.option(.recordAgain)] }
        if sample.refusal?.code == .cancelled { return [.option(.again)] }
        if sample.refusal?.isShortage == true {
            return [.advice("probe again with more descriptors and memory: see ulimit -n and ulimit -v")]
        }
        switch self {
        case .local(let folder): return local(folder, sample, sensor)
        case .remote(let uri, let device): return remote(uri, device, sample, sensor)
        }
    }

    /// What would let this user read a value that the operating system refused.
    func accessRemedies(for attribute: String) -> [Remedy]? {
        switch self {
        case .local(let folder):
            ShellWord(folder.appending(attribute).string).map { [.command("sudo chmod a+r \($0)")] }
        case .remote(let uri, let device):
            Self.host(uri).flatMap { host in
                Self.file(attribute, of: device).map {
                    let command: ShellCommand = "sudo chmod a+r \($0)"
                    return [.command(command.over(ssh: host))]
                }
            }
        }
    }

    /// An attribute's file on the machine of a context; nil for names that no kernel gives, such as a hostile peer's.
    private static func file(_ attribute: String, of device: ContextDescription.ContextDevice) -> ShellWord? {
        guard KernelName.isDevice(device.id), KernelName.isAttribute(attribute) else { return nil }
        return ShellWord("/sys/bus/iio/devices/\(device.id)/\(attribute)")
    }

    private func local(_ folder: FilePath, _ sample: Sample, _ sensor: Sensor) -> [Remedy] {
        switch sample.availability {
        case .unavailable(.absent): return [.advice("plug it in again")]
        case .unavailable(.poweredOff):
            let file = sample.attribute.flatMap { ShellWord(folder.appending($0).string) }
            return file.map { [.command("echo 1 | sudo tee \($0)")] } ?? Self.log(of: sensor.name)
        default:
            return sample.isDenied
                ? sample.attribute.flatMap(accessRemedies) ?? [.option(.asRoot)]
                : Self.remedies(of: sample, rebinding: Self.rebinding(folder)) + Self.log(of: sensor.name)
        }
    }

    private func remote(
        _ uri: String, _ device: ContextDescription.ContextDevice, _ sample: Sample, _ sensor: Sensor
    ) -> [Remedy] {
        if uri.hasPrefix("xml:") { return [.advice("use the device's own context: a file holds no values")] }
        if sample.availability == .unavailable(.poweredOff) {
            let asked = sample.attribute.flatMap { device.attributes[$0] }
            if let asked, KernelName.isDevice(device.id), KernelName.isAttribute(asked.name),
                let channel = asked.channel.flatMap({ KernelName.isAttribute($0) ? ShellWord($0) : nil }),
                let name = ShellWord(asked.name), let uri = ShellWord(uri), let id = ShellWord(device.id)
            {
                return [.command("iio_attr -u \(uri) -c \(id) \(channel) \(name) 1")]
            }
        }
        let own = Self.remedies(of: sample, rebinding: [])
        guard let host = Self.host(uri) else {
            if uri.hasPrefix("usb:") { return own + [.advice("unplug the device, and plug it in again")] }
            return own + (ShellWord(uri).map { [.command("iio_info -u \($0)")] } ?? [.command("iio_info -s")])
        }
        let restartCommand: ShellCommand = "sudo systemctl restart iiod"
        let restart: [Remedy] = [.command(restartCommand.over(ssh: host))]
        if sample.isDenied { return sample.attribute.flatMap(accessRemedies) ?? restart }
        switch sample.availability {
        // iiod lists its devices once, when it starts.
        case .unavailable(.absent):
            return [.command(restartCommand.over(ssh: host), note: "once the device is plugged in again")]
        case .unavailable(.silent) where sample.refusal != nil: return restart
        default:
            let broken =
                sample.refusal.map { $0.code != .refused || [.brokenPipe, .connectionReset].contains($0.errno) }
                ?? false
            return broken ? restart : own + [.command(Self.logCommand(of: sensor.name).over(ssh: host))]
        }
    }

    private static func host(_ uri: String) -> ShellWord? { HostPort(context: uri).flatMap { ShellWord($0.host) } }

    private static let wiring = Remedy.advice("check the chip's wiring, its power supply and its address on the bus")

    /// What ends the state of a chip that does not answer, that reads zeros, or whose values cannot be true.
    private static func remedies(of sample: Sample, rebinding: [Remedy]) -> [Remedy] {
        if sample.availability == .unavailable(.faulty), sample.refusal?.isBusSilence == true { return [wiring] }
        if sample.availability == .unavailable(.silent), sample.refusal == nil { return rebinding }
        return switch sample.fault {
        case nil: []
        case .allOnes, .atEnds, .saturated: [wiring] + rebinding
        case .wrapAround:
            [.advice("update the kernel, or the firmware of the sensor's hub: negative values arrive without a sign")]
        case .beyondRange, .wrongUnit:
            [.advice("compare the scale and the raw value that its driver reports with the chip's data sheet")]
        }
    }

    /// Makes the kernel's driver start the chip anew; empty for a folder that no line can hold.
    ///
    /// Source: the kernel's Documentation/driver-api/driver-model/binding.rst, and kernel ABI `sysfs-bus`.
    private static func rebinding(_ folder: FilePath) -> [Remedy] {
        guard let chip = folder.removingLastComponent().lastComponent.flatMap({ ShellWord($0.string) }),
            let driver = ShellWord(folder.removingLastComponent().appending("driver").string)
        else { return [] }
        return [
            .command(
                """
                driver=$(readlink -f \(driver)) && echo \(chip) | sudo tee "$driver/unbind" \
                && echo \(chip) | sudo tee "$driver/bind"
                """, note: "resets the chip through its driver; in a container: run it on the host")
        ]
    }

    static func log(of name: String) -> [Remedy] { [.command(logCommand(of: name))] }

    private static func logCommand(of name: String) -> ShellCommand {
        guard let word = ShellWord(name) else { return "sudo dmesg" }
        return word.quoted == name ? "sudo dmesg | grep -i \(word)" : "sudo dmesg | grep -iF \(word)"
    }
}

/// The names that the kernel gives, as a peer has to write them before they enter a command.
///
/// Source: Linux `drivers/iio/industrialio-core.c` (`iio:device%d`); kernel ABI `sysfs-bus-iio`.
enum KernelName {
    static func isDevice(_ name: String) -> Bool {
        let number = name.dropFirst("iio:device".count)
        return name.hasPrefix("iio:device") && 1...9 ~= number.utf8.count
            && number.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    static func isAttribute(_ name: String) -> Bool {
        1...128 ~= name.utf8.count
            && name.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || $0 == UInt8(ascii: "_")
            }
    }
}

struct ContextRemedy {
    let uri: String
    /// Where the user who needs access is looked up.
    let world: any World

    /// The remedy of an error; never empty.
    func remedies(for error: DriverError) -> [Remedy] {
        if error.isDenied { return access }
        switch error.code {
        case .unsupported where error.errno == .noFunction:
            let kind = uri.prefix { $0 != ":" }
            return [
                .advice("install a libiio that was built with its \(kind) backend"),
                .advice("or run iiod where the devices are, and name it as ip:HOST"),
            ]
        case .unsupported where error.subject.hasPrefix("libzstd"): return [.command("sudo apt-get install libzstd1")]
        case .unsupported: return [.command("sudo apt-get install libiio0")]
        case .notRecorded: return [.option(.recordAgain)]
        case .cancelled: return [.option(.again)]
        default: break
        }
        if uri.hasPrefix("xml:") { return [.advice("name a file that libiio wrote, as iio_genxml does")] }
        if let address = HostPort(context: uri) {
            // It takes connections, and closes them.
            if error.code == .closed, !error.detail.isEmpty {
                return [
                    .advice(
                        "check that what listens on port \(address.port) of \(address.host) is iiod, "
                            + "of libiio 1.0 or older")
                ]
            }
            return [.advice("check that iiod runs at \(address.host) and listens on port \(address.port)")]
        }
        if uri.hasPrefix("serial:") {
            return [.advice("check the line's cable and rate, and that iiod -s runs at its other end")]
        }
        return [.advice("plug the device in, and see iio_info -s")]
    }

    /// What lets this user open it after the operating system refused.
    var access: [Remedy] {
        if uri.hasPrefix("xml:") {
            return ShellWord(String(uri.dropFirst(4))).map { [.command("sudo chmod a+r \($0)")] } ?? [
                .option(.asRoot)
            ]
        }
        if uri.hasPrefix("usb:") {
            // libiio's own udev rule permits everybody to open its devices, and finds them with iio_info.
            guard let node else {
                return [
                    .command(
                        """
                        sudo apt-get install libiio-utils \
                        && sudo udevadm trigger --subsystem-match=usb --action=change
                        """)
                ]
            }
            return [
                .command(
                    "sudo setfacl -m \"u:\(world.userName):rw\" \(node)",
                    note: "for now; permanently, libiio's udev rule: sudo apt-get install libiio-utils")
            ]
        }
        if let node = serialNode { return [.command("sudo setfacl -m \"u:\(world.userName):rw\" \(node)")] }
        if let address = HostPort(context: uri) {
            return [.command("sudo nft list ruleset", note: "a rule of this machine forbids port \(address.port)")]
        }
        return [.option(.asRoot)]
    }

    /// The node of `serial:NODE[,RATE[,FORMAT]]`, as a word of a command.
    private var serialNode: ShellWord? {
        guard uri.hasPrefix("serial:") else { return nil }
        return ShellWord(String(uri.dropFirst("serial:".count).prefix { $0 != "," }))
    }

    /// The node of `usb:BUS.DEVICE[.INTERFACE]`.
    private var node: ShellWord? {
        let numbers = uri.dropFirst(4).split(separator: ".").map { UInt16($0) }
        guard 2...3 ~= numbers.count, let bus = numbers[0], let device = numbers[1], bus < 1000, device < 1000 else {
            return nil
        }
        func padded(_ number: UInt16) -> String { String(String(1000 + number).dropFirst()) }
        return ShellWord("/dev/bus/usb/\(padded(bus))/\(padded(device))")
    }
}

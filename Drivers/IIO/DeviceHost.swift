internal import DriverKit
internal import Readiness
internal import SystemPackage

/// Where a device is, which decides the commands that fix it.
enum DeviceHost {
    /// On this machine, at its folder in sysfs.
    case local(FilePath)
    /// In a libiio context.
    case remote(uri: String, device: ContextDescription.ContextDevice)

    /// The remedy for a recording that lacks an answer.
    static let recordAgain: [Remedy] = [.option(.recordAgain)]

    /// What would make an unavailable sensor available; never empty.
    func remedies(for sample: Sample, of sensor: Sensor) -> [Remedy] {
        if sample.refusal?.code == .notRecorded { return Self.recordAgain }
        if sample.refusal?.code == .cancelled { return [.option(.again)] }
        switch self {
        case .local(let folder): return local(folder, sample, sensor)
        case .remote(let uri, let device): return remote(uri, device, sample, sensor)
        }
    }

    /// What would let this user read a value that the operating system refused.
    func accessRemedies(for attribute: String) -> [Remedy]? {
        switch self {
        case .local(let folder):
            ShellWord.quoted(folder.appending(attribute).string).map { [.command("sudo chmod a+r \($0)")] }
        case .remote(let uri, let device):
            Self.host(uri).flatMap { host in
                ShellWord.quoted("/sys/bus/iio/devices/\(device.id)/\(attribute)").map {
                    [.command("ssh -t \(host) sudo chmod a+r \($0)")]
                }
            }
        }
    }

    private func local(_ folder: FilePath, _ sample: Sample, _ sensor: Sensor) -> [Remedy] {
        switch sample.availability {
        case .unavailable(.absent): return [.advice("plug it in again")]
        case .unavailable(.poweredOff):
            let file = sample.attribute.flatMap { ShellWord.quoted(folder.appending($0).string) }
            return file.map { [.command("echo 1 | sudo tee \($0)")] } ?? Self.log(of: sensor.name)
        default:
            return sample.isDenied
                ? sample.attribute.flatMap(accessRemedies) ?? [.option(.asRoot)] : Self.log(of: sensor.name)
        }
    }

    private func remote(
        _ uri: String, _ device: ContextDescription.ContextDevice, _ sample: Sample, _ sensor: Sensor
    ) -> [Remedy] {
        if uri.hasPrefix("xml:") { return [.advice("use the device's own context: a file holds no values")] }
        if sample.availability == .unavailable(.poweredOff) {
            let asked = sample.attribute.flatMap { device.attributes[$0] }
            if let asked, let channel = asked.channel.flatMap(ShellWord.quoted),
                let name = ShellWord.quoted(asked.name),
                let uri = ShellWord.quoted(uri), let id = ShellWord.quoted(device.id)
            {
                return [.command("iio_attr -u \(uri) -c \(id) \(channel) \(name) 1")]
            }
        }
        guard let host = Self.host(uri) else {
            if uri.hasPrefix("usb:") { return [.advice("unplug the device, and plug it in again")] }
            return ShellWord.quoted(uri).map { [.command("iio_info -u \($0)")] } ?? [.command("iio_info -s")]
        }
        let restart: [Remedy] = [.command("ssh -t \(host) sudo systemctl restart iiod")]
        if sample.isDenied { return sample.attribute.flatMap(accessRemedies) ?? restart }
        switch sample.availability {
        // iiod lists its devices once, when it starts.
        case .unavailable(.absent):
            return [
                .command(
                    "ssh -t \(host) sudo systemctl restart iiod", note: "once the device is plugged in again")
            ]
        case .unavailable(.silent) where sample.refusal != nil: return restart
        default:
            let broken =
                sample.refusal.map { $0.code != .refused || [.brokenPipe, .connectionReset].contains($0.errno) }
                ?? false
            return broken ? restart : [.command("ssh -t \(host) \(Self.logCommand(of: sensor.name))")]
        }
    }

    private static func host(_ uri: String) -> String? { HostPort(context: uri).flatMap { ShellWord.quoted($0.host) } }

    /// Shows the kernel's messages about a chip.
    static func log(of name: String) -> [Remedy] { [.command(logCommand(of: name))] }

    private static func logCommand(of name: String) -> String {
        guard let word = ShellWord.quoted(name) else { return "sudo dmesg" }
        return word == name ? "sudo dmesg | grep -i \(word)" : "sudo dmesg | grep -iF \(word)"
    }
}

import Foundation
import Glibc
import Support
import Testing

/// Attacks by what stands below `/sys`, and by what answers for names.
@Suite(.timeLimit(.minutes(10))) struct HostileSysfsTests {
    /// Puts something else in the place of every attribute of a device.
    private static func replacing(
        _ names: [String] = FileBus.attributes, by make: @escaping @Sendable (URL) throws -> Void
    ) -> Attack.Target {
        .sysfs { bus in
            try FileBus.addDevice(0, to: bus)
            for name in names {
                let file = bus.appending(path: "\(FileBus.folder(of: 0))/\(name)")
                try FileManager.default.removeItem(at: file)
                try make(file)
            }
        }
    }

    private static func text(_ text: String) -> @Sendable (URL) throws -> Void {
        { try Data(text.utf8).write(to: $0) }
    }

    private static func link(to target: String) -> @Sendable (URL) throws -> Void {
        { try FileManager.default.createSymbolicLink(atPath: $0.path, withDestinationPath: target) }
    }

    private static func fifo(_ file: URL) throws {
        guard unsafe mkfifo(file.path, 0o644) == 0 else { throw Program.CommandFailure(description: "no fifo") }
    }

    /// The files of a device that are read.
    private static let files = ["name", "uevent"] + FileBus.attributes

    /// Lists many places on a bus that are all links to one folder of devices; each device is at `below` such a place.
    private static func links(_ count: Int, on subsystem: String, to target: String, below: String = "")
        -> @Sendable (URL) throws -> Void
    {
        { bus in
            let devices = bus.appending(path: "bus/\(subsystem)/devices")
            try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
            for number in 0..<count {
                guard unsafe symlink(target, "\(bus.path)/devices/place\(number)") == 0,
                    unsafe symlink("../../../devices/place\(number)\(below)", "\(devices.path)/\(number)") == 0
                else { throw Program.CommandFailure(description: "no link") }
            }
        }
    }

    private static let attacks: [Attack] = {
        let many = 10_000
        let targets: [(String, Attack.Target)] = [
            ("fifos for attributes", replacing(by: fifo)),
            ("fifos for all files", replacing(files, by: fifo)),
            (
                "folders for attributes",
                replacing {
                    try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
                }
            ),
            (
                "folders for all files",
                replacing(files) {
                    try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
                }
            ),
            ("attributes that are links to themselves", replacing { try link(to: $0.lastPathComponent)($0) }),
            ("attributes without end", replacing(by: link(to: "/dev/zero"))),
            ("attributes of random bytes", replacing(files, by: link(to: "/dev/urandom"))),
            ("attributes that are the kernel's log", replacing(by: link(to: "/dev/kmsg"))),
            ("attributes that are the program's own memory", replacing(by: link(to: "/proc/self/mem"))),
            ("attributes that are a terminal", replacing(by: link(to: "/dev/ptmx"))),
            ("attributes of a megabyte", replacing(files, by: text(String(repeating: "1", count: 1 << 20)))),
            (
                "attributes of a terabyte",
                replacing { file in
                    try text("1")(file)
                    guard unsafe truncate(file.path, 1 << 40) == 0 else {
                        throw Program.CommandFailure(description: "too large")
                    }
                }
            ),
            ("attributes of a page of digits", replacing(by: text(String(repeating: "9", count: 4096)))),
            ("empty attributes", replacing(files, by: text(""))),
            ("attributes that are no text", replacing(files) { try Data([0xff, 0xfe, 0, 0x80]).write(to: $0) }),
            ("attributes that are no number", replacing(by: text("nan\n"))),
            ("attributes that are infinite", replacing(by: text("1e999\n"))),
            (
                "a device that is a link to itself",
                .sysfs { bus in
                    try FileBus.addDevice(0, to: bus)
                    let device = bus.appending(path: FileBus.folder(of: 0))
                    try FileManager.default.removeItem(at: device)
                    try link(to: device.lastPathComponent)(device)
                }
            ),
            (
                "a device that is a file",
                .sysfs { bus in
                    try FileBus.addDevice(0, to: bus)
                    let device = bus.appending(path: FileBus.folder(of: 0))
                    try FileManager.default.removeItem(at: device)
                    try text("")(device)
                }
            ),
            (
                "a device that is a fifo",
                .sysfs { bus in
                    try FileBus.addDevice(0, to: bus)
                    let device = bus.appending(path: FileBus.folder(of: 0))
                    try FileManager.default.removeItem(at: device)
                    try fifo(device)
                }
            ),
            (
                "a list of devices that is a link to itself",
                .sysfs { bus in
                    try FileManager.default.createDirectory(
                        at: bus.appending(path: "bus/iio"), withIntermediateDirectories: true)
                    try link(to: "devices")(bus.appending(path: "bus/iio/devices"))
                }
            ),
            (
                "a list of devices that is a file",
                .sysfs { bus in
                    try FileManager.default.createDirectory(
                        at: bus.appending(path: "bus/iio"), withIntermediateDirectories: true)
                    try text("")(bus.appending(path: "bus/iio/devices"))
                }
            ),
            (
                "ten thousand devices",
                .sysfs { bus in
                    try FileBus.addDevice(0, to: bus)
                    try links(many, on: "iio", to: "platform/soc/i2c-0/0-1000", below: "/iio:device0")(bus)
                }
            ),
            (
                "ten thousand devices that cannot be listed",
                .sysfs { bus in
                    try link(to: "loop")(bus.appending(path: "devices/loop"))
                    try links(many, on: "iio", to: "loop", below: "/iio:device0")(bus)
                }
            ),
            (
                "ten thousand chips without a driver",
                .sysfs { bus in
                    let chip = bus.appending(path: "devices/chip")
                    try FileManager.default.createDirectory(at: chip, withIntermediateDirectories: true)
                    try text("MODALIAS=i2c:bmi160\n")(chip.appending(path: "uevent"))
                    try links(many, on: "i2c", to: "chip")(bus)
                }
            ),
            (
                "ten thousand attributes",
                .sysfs { bus in
                    try FileBus.addDevice(0, to: bus)
                    for number in 0..<many {
                        try text("1\n")(bus.appending(path: "\(FileBus.folder(of: 0))/in_accel_x\(number)_raw"))
                    }
                }
            ),
        ]
        return targets.map { Attack(name: $0, target: $1) }
    }()

    @Test func `a hostile sysfs is withstood`() throws { try Attack.withstand(Self.attacks) }

    @Test func `hostile names in sysfs are withstood in every format`() throws {
        try Attack.withstand(
            Attack.inAllFormats(
                Attack(name: "hostile names", target: Self.replacing(["name"], by: Self.text(Attack.evil + "\n"))))
                + Attack.inAllFormats(
                    Attack(
                        name: "hostile values", target: Self.replacing(Self.files, by: Self.text(Attack.evil + "\n"))))
                + Attack.inAllFormats(
                    Attack(
                        name: "hostile paths",
                        target: .sysfs { bus in
                            let name = "iio:device0\u{1b}[2J\n\u{9b}\u{202e}'`$(reboot)"
                            let place = bus.appending(path: "devices/\u{1b}[31m;reboot\n/\(name)")
                            let devices = bus.appending(path: "bus/iio/devices")
                            for folder in [place, devices] {
                                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                            }
                            for attribute in FileBus.attributes { try Self.fifo(place.appending(path: attribute)) }
                            try Self.link(to: "../../../devices/\u{1b}[31m;reboot\n/\(name)")(
                                devices.appending(path: name))
                        })))
    }

    @Test func `hostile name servers are withstood`() throws {
        let header: @Sendable ([UInt8], UInt8, UInt8) -> [UInt8] = { query, flags, answers in
            Array(query.prefix(2)) + [0x81, 0x80 | flags, 0, 1, 0, answers, 0, 0, 0, 0]
        }
        let answers: [(String, @Sendable ([UInt8]) -> [UInt8]?)] = [
            ("says nothing", { _ in nil }),
            ("sends back the question", { $0 }),
            ("sends garbage", { _ in [UInt8](repeating: 0xff, count: 4000) }),
            ("knows no name", { header($0, 3, 0) + $0.dropFirst(12) }),
            ("fails", { header($0, 2, 0) + $0.dropFirst(12) }),
            ("points to itself", { header($0, 0, 200) + $0.dropFirst(12) + [0xc0, 0x0c, 0xc0, 0x0c] }),
            ("promises answers that it lacks", { header($0, 0, 255) + $0.dropFirst(12).prefix(40) }),
        ]
        guard getuid() == 0 else { try Test.cancel("needs leave to bind port 53") }
        try Attack.withstand(answers.map { Attack(name: "a name server that \($0)", target: .names($1)) })
    }
}

import Linux
import DriverKit
import Glibc
import IIO
import Readiness
import LocalRig
import SystemPackage
import Testing

/// The driver over the real libudev, in a process of its own under umockdev's preload.
@Suite struct MockedTests {
    /// Which test of `InsideMock` this process is to run.
    static var role: String? { unsafe getenv("RIGREADY_MOCK").map { unsafe String(cString: $0) } }

    /// Runs one test of `InsideMock` under umockdev; returns what it printed after `> `.
    static func run(_ role: String, umockdev: Bool = true) throws -> [String] {
        let file = try MockRig.file()
        defer { unsafe unlink(file) }
        let program = try FilePath("/proc/self/exe").resolved
        let words =
            (umockdev ? ["umockdev-run", "--device", file, "--"] : [])
            + [program, "--testing-library", "swift-testing", "--filter", "InsideMock"]
        let child = try #require(Child(words, environment: ["RIGREADY_MOCK": role]), "umockdev-run is not installed")
        let status = child.end(within: 300)
        let text = child.text
        #expect(status == 0, "\(text.suffix(4000))")
        return text.split(separator: "\n").filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    }

    @Test func `a hundred devices are found by libudev and evaluated by their channels`() throws {
        let lines = try Self.run("hundred")
        #expect(lines.sorted() == MockRig.expected)
    }

    @Test func `iio_info sees the same devices with the same motion channels`() throws {
        let file = try MockRig.file()
        defer { unsafe unlink(file) }
        let child = try #require(Child(["umockdev-run", "--device", file, "--", "iio_info"]))
        #expect(child.end(within: 60) == 0)
        var seen: Set<String> = []
        var device = ""
        for line in child.text.split(separator: "\n") {
            let words = line.split(separator: " ").map { $0.drop { $0 == "\t" } }
            guard let first = words.first else { continue }
            if first.hasPrefix("iio:device") { device = String(first.dropLast()) }
            if let kind = ["accel_": "accelerometer", "anglvel_": "gyroscope", "steps:": "stepCounter"]
                .first(where: { first.hasPrefix($0.key) })?.value
            {
                seen.insert("\(kind) \(device)")
            }
        }
        #expect(Set(try Self.run("paths")) == seen && seen.count == 100)
    }

    @Test func `damaged devices affect only their own line`() throws {
        #expect(
            try Self.run("damaged").sorted() == [
                "accelerometer 0000:00:1f.4/0008 faulty EISDIR", "accelerometer 0000:00:1f.4/000d absent ENOENT",
                "accelerometer 0000:00:1f.4/0012 faulty -", "others available 77",
            ])
    }

    @Test func `contexts that fail leave standard error clean, and files and addresses need no libiio`() throws {
        let lines = try Self.run("stderr", umockdev: false)
        #expect(lines == ["", "libiio is not open"])
    }
}

extension FilePath {
    /// The target of a symbolic link.
    fileprivate var resolved: String {
        get throws {
            guard let path = unsafe realpath(string, nil) else { throw Errno(rawValue: errno) }
            defer { unsafe free(path) }
            return unsafe String(cString: path)
        }
    }
}

/// Run only by `MockedTests`.
@Suite(.enabled(if: MockedTests.role != nil)) struct InsideMock {
    private static func inventory() throws -> Inventory {
        try Probe([.init(IIODriver(), in: MockRig.world)]).inventory(depth: .sample, limit: ProbeLimit(.seconds(20)))
    }

    @Test(.enabled(if: MockedTests.role == "hundred")) func `hundred`() throws {
        let inventory = try Self.inventory()
        #expect(inventory.drivers.map(\.state) == [.ok] && inventory.obstacles.isEmpty)
        // In a container the mock's database, which has no such devices, is told as missing.
        #expect(inventory.notices.allSatisfy { $0.id == .containerized })
        for sensor in inventory.sensors {
            print("> \(sensor.kind.id) \(sensor.key) \(sensor.availability.id)")
            #expect(sensor.access == .readable)
            let number = Double(sensor.name.dropFirst(4)) ?? -1
            switch sensor.reading {
            case .axes(let axes) where number.truncatingRemainder(dividingBy: 5) == 0:
                #expect(axes.x == number * (sensor.kind == .accelerometer ? 0.5 : 0.001))
            case .axes(let axes) where sensor.kind == .gyroscope: #expect(axes.x == nil && axes.z == number / 4)
            case .axes(let axes): #expect(axes.x == number * 2 && axes.y == 12 && axes.z == nil)
            case .steps(let steps): #expect(Double(steps) == number)
            default: #expect(sensor.availability == .unavailable(.poweredOff))
            }
        }
    }

    @Test(.enabled(if: MockedTests.role == "paths")) func `paths`() throws {
        for sensor in try Self.inventory().sensors { print("> \(sensor.kind.id) \(sensor.path ?? "")") }
    }

    @Test(.enabled(if: MockedTests.role == "damaged")) func `damaged`() throws {
        let root = try #require(unsafe getenv("UMOCKDEV_DIR").map { unsafe String(cString: $0) })
        func file(_ number: Int, _ name: String) -> String {
            "\(root)\(MockRig.folder)/1-\(MockRig.address(number))/iio:device\(number)/\(name)"
        }
        #expect(unsafe unlink(file(0, "in_accel_x_raw")) == 0)
        #expect(unsafe mkdir(file(0, "in_accel_x_raw"), 0o755) == 0)
        // It stays listed but cannot be opened, as after an unplug.
        #expect(unsafe unlink(file(5, "in_accel_x_raw")) == 0)
        #expect(unsafe symlink("/nowhere/at/all", file(5, "in_accel_x_raw")) == 0)
        let damaged = FilePath(file(10, "in_accel_x_raw"))
        let descriptor = try FileDescriptor.open(damaged, .writeOnly, options: .truncate)
        try descriptor.closeAfter { _ = try descriptor.writeAll([0xff, 0xfe, 0x00]) }
        var others = 0
        for sensor in try Self.inventory().sensors {
            if sensor.kind == .accelerometer && ["chip0", "chip5", "chip10"].contains(sensor.name) {
                let number = sensor.evidence.compactMap(\.errno).last ?? "-"
                print("> \(sensor.kind.id) \(sensor.key) \(sensor.availability.id) \(number)")
            } else if sensor.kind != .stepCounter && sensor.availability == .available {
                others += 1
            }
        }
        print("> others available \(others)")
    }

    @Test(.enabled(if: MockedTests.role == "stderr")) func `stderr`() throws {
        let listener = try #require(Listener())
        let bad = try MockRig.file("<context")
        defer { unsafe unlink(bad) }
        let good = try MockRig.file(RemoteTests.xml)
        defer { unsafe unlink(good) }
        let hanging = try #require(ScriptedServer { $0.hasPrefix("READ") ? .hang : nil })
        let closing = try #require(ScriptedServer { $0.hasPrefix("READ") ? .close : nil })
        let log = try MockRig.file("")
        defer { unsafe unlink(log) }
        let saved = dup(2)
        let descriptor = try FileDescriptor.open(FilePath(log), .writeOnly, options: [.append])
        dup2(descriptor.rawValue, 2)
        for uri in [
            "ip:127.0.0.1:\(Listener.freePort)", "ip:127.0.0.1:\(listener.port)", "xml:/nonexistent.xml", "xml:\(bad)",
            "xml:\(good)", hanging.uri, closing.uri,
        ] {
            let driver = RemoteIIODriver(uri: uri)
            let inventory = try Probe([.init(driver, in: MockRig.world)]).inventory(
                depth: .sample, limit: ProbeLimit(.milliseconds(500)))
            #expect(inventory.sensors.allSatisfy { $0.availability != .available })
            #expect(inventory.sensors.isEmpty != inventory.obstacles.isEmpty)
        }
        dup2(saved, 2)
        close(saved)
        try descriptor.close()
        let text = String(decoding: try MockRig.world.contents(of: FilePath(log), limit: 1 << 20), as: UTF8.self)
        // On a busy machine the test runner's own lines may be interleaved; each begins with a symbol.
        let said = text.split(separator: "\n").filter { $0.utf8.first.map { $0 < 0x80 } ?? false }
        print("> \(said.joined(separator: " / "))")
        let maps = String(decoding: try MockRig.world.contents(of: "/proc/self/maps", limit: 16 << 20), as: UTF8.self)
        print("> libiio is \(maps.contains("libiio.so") ? "" : "not ")open")
    }
}

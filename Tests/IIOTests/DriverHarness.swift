import DriverTesting
import DriverKit
import Readiness
import SystemPackage
import Support
import Synchronization
import Testing
@testable import IIO

/// A world that records which files were read.
struct ListeningWorld: World {
    final class Log: Sendable {
        private let paths = Mutex<[String]>([])
        var all: [String] { paths.withLock { $0 } }
        func add(_ path: String) { paths.withLock { $0.append(path) } }
    }

    let world: FakeWorld
    /// The error of connecting, instead of a channel.
    var refusal: DriverError?
    /// The error of querying modules, instead of a list.
    var moduleRefusal: DriverError?
    /// The error of listing a subsystem, instead of a list.
    var listingRefusals: [String: DriverError] = [:]
    let log = Log()

    func now() -> Instant { world.now() }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        if let error = listingRefusals[subsystem] { throw error }
        return try world.devices(in: subsystem)
    }
    func modules(for alias: String) throws(DriverError) -> [String] {
        if let moduleRefusal { throw moduleRefusal }
        return try world.modules(for: alias)
    }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { try world.entries(of: folder) }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        log.add(file.string)
        return try world.contents(of: file, limit: limit)
    }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { try world.status(of: node) }
    func account() throws(DriverError) -> Account { try world.account() }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        if let refusal { throw refusal }
        return try world.channel(to: endpoint, until: deadline)
    }
}

/// The result of one driver alone.
struct DriverHarness {
    var enumeration: Enumeration
    var sensors: [Sensor] = []
    var notices: [Notice] = []

    init(_ world: some World, _ depth: Depth = .sample) throws { try self.init(IIODriver(), world, depth) }

    init(_ driver: any Driver, _ world: some World, _ depth: Depth = .sample) throws {
        let deadline = Instant.now.advanced(bySeconds: 5)
        let session = try driver.open(world, until: deadline)
        enumeration = try session.enumeration(depth, until: deadline)
        notices = enumeration.notices
        for candidate in enumeration.candidates {
            guard candidate.isOpen else {
                sensors.append(candidate.sensor)
                continue
            }
            let finding = session.look(at: candidate, depth, until: deadline)
            sensors.append(finding.sensor)
            notices += finding.notices
        }
        // Checked for each scenario of the suite.
        let omissions = enumeration.omissions(of: sensors)
        if !omissions.isEmpty { Issue.record("\(omissions)") }
    }

    func first(_ kind: SensorKind) -> Sensor? { sensors.first { $0.kind == kind } }
}

extension FakeWorld {
    static let chip = "/sys/devices/i2c-1/1-0068"

    /// Adds an IIO device below a chip, with attributes by name.
    mutating func add(
        id: String = "iio:device0", at chip: String = FakeWorld.chip, name: String = "mpu6050",
        _ attributes: KeyValuePairs<String, String>
    ) {
        let folder = "\(chip)/\(id)"
        devices["iio", default: []].append(FilePath(folder))
        add("\(folder)/name", name + "\n")
        add("\(folder)/uevent", "MAJOR=250\nMINOR=0\nDEVNAME=\(id)\nDEVTYPE=iio_device\n")
        for (attribute, value) in attributes { add("\(folder)/\(attribute)", value + "\n") }
    }

    /// Adds a device on a bus, bound or not.
    mutating func add(chip: String, in subsystem: String, _ uevent: String) {
        devices[subsystem, default: []].append(FilePath(chip))
        add("\(chip)/uevent", uevent)
    }
}

extension Sensor {
    var axes: AxesReading? {
        if case .axes(let reading) = reading { reading } else { nil }
    }
}

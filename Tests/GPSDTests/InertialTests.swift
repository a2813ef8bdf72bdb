import DriverKit
import Foundation
import Readiness
import Support
import Testing
@testable import GPSD

/// The accelerometers and gyroscopes in receivers.
@Suite struct InertialTests {
    /// A gpsd of a release whose units are known, unless another greets.
    private static func devices(_ firmware: String = "SPG 3.01", driver: String = "u-blox", release: String = "3.25")
        -> String
    {
        Recorded.open.replacing("SPG 3.01", with: firmware).replacing("u-blox", with: driver)
            // What the scripted gpsd greets with is overtaken by a second greeting.
            .replacing(
                #"{"class":"DEVICES""#,
                with: #"{"class":"VERSION","release":"\#(release)"}"# + "\r\n" + #"{"class":"DEVICES""#)
    }

    private static func sensors(_ probe: DriverHarness) -> [Sensor] { probe.findings.flatMap(\.others) }

    @Test func `an IMU object makes both sensors, in SI units, at the receiver's key`() throws {
        let channel = TimedChannel(Self.devices(), reports: [(0.1, Recorded.inertial), (0.2, Recorded.report())])
        let probe = try DriverHarness(channel)
        #expect(probe.sensor?.kind == .locationReceiver && probe.sensor?.availability == .available)
        let sensors = Self.sensors(probe)
        #expect(sensors.map(\.kind) == [.accelerometer, .gyroscope])
        for sensor in sensors {
            #expect(sensor.key == probe.sensor?.key && sensor.driver == "gpsd" && sensor.name == "u-blox")
            #expect(sensor.availability == .available && sensor.access == .readable && sensor.detail == nil)
            #expect(sensor.evidence.map(\.said) == ["IMU UBX-ESF-RAW of its inertial unit"])
        }
        #expect(
            sensors.first?.reading
                == .axes(AxesReading(x: 0.02539, y: 0.22656, z: 10.0332, unit: .metresPerSecondSquared)))
        guard case .axes(let rotation)? = sensors.last?.reading else {
            Issue.record("no rotation")
            return
        }
        #expect(rotation.z == Double.pi / 2 && rotation.unit == .radiansPerSecond)
    }

    @Test func `acceleration and rotation may come one after the other`() throws {
        let lines = [
            #"{"class":"IMU","device":"/dev/ttyACM0","msg":"UBX-ESF-MEAS","acc_x":1,"acc_y":2,"acc_z":9}"#,
            #"{"class":"IMU","device":"/dev/ttyACM0","msg":"UBX-ESF-MEAS","gyro_x":1,"gyro_y":2,"gyro_z":3}"#,
        ]
        let channel = TimedChannel(
            Self.devices(), reports: [(0.1, lines[0]), (0.2, lines[1]), (0.3, Recorded.report())])
        #expect(Self.sensors(try DriverHarness(channel)).map(\.kind) == [.accelerometer, .gyroscope])
        let alone = TimedChannel(Self.devices(), reports: [(0.1, lines[0]), (0.3, Recorded.report())])
        #expect(Self.sensors(try DriverHarness(alone)).map(\.kind) == [.accelerometer])
    }

    @Test func `a receiver without an inertial unit is a receiver alone, and says nothing of its absence`() throws {
        let attitude = #"{"class":"ATT","device":"/dev/ttyACM0","heading":120.0,"pitch":1.0,"roll":2.0}"#
        let channel = TimedChannel(Self.devices(), reports: [(0.1, attitude), (0.2, Recorded.report())])
        let probe = try DriverHarness(channel)
        #expect(Self.sensors(probe).isEmpty && probe.enumeration.obstacles.isEmpty)
        #expect(GPSDDriver().kinds == [.locationReceiver])
    }

    @Test func `firmware with an inertial unit is given the time of one object, other firmware is not`() throws {
        // The fix comes at once, the inertial unit's object a second later.
        func seconds(_ firmware: String) throws -> (waited: Double, kinds: [SensorKind]) {
            let channel = TimedChannel(
                Self.devices(firmware), reports: [(0.1, Recorded.report()), (1, Recorded.inertial)])
            let began = channel.now
            let probe = try DriverHarness(channel)
            #expect(probe.sensor?.availability == .available)
            return (began.seconds(to: channel.now), Self.sensors(probe).map(\.kind))
        }
        for firmware in ["ADR 4.21", "UDR 1.21", "MDR 2.00", "HPS 1.20", "LAP 1.20"] {
            #expect(try seconds(firmware).kinds == [.accelerometer, .gyroscope])
        }
        let usual = try seconds("SPG 3.01")
        #expect(usual.kinds.isEmpty && usual.waited < 0.5)
    }

    @Test func `firmware with an inertial unit that says nothing costs a second, and no status`() throws {
        let channel = TimedChannel(Self.devices("HPS 1.20"), reports: [(0.1, Recorded.report())])
        let began = channel.now
        let probe = try DriverHarness(channel)
        #expect(probe.sensor?.availability == .available && Self.sensors(probe).isEmpty)
        #expect(1.1...1.4 ~= began.seconds(to: channel.now))
    }

    @Test func `a unit that tells one kind first is given a moment for the other`() throws {
        let acceleration = #"{"class":"IMU","device":"/dev/ttyACM0","acc_x":1,"acc_y":2,"acc_z":9}"#
        let rotation = #"{"class":"IMU","device":"/dev/ttyACM0","gyro_x":1,"gyro_y":2,"gyro_z":3}"#
        let channel = TimedChannel(
            Self.devices(),
            reports: [(0.1, acceleration), (0.1, Recorded.sky), (0.1, Recorded.report()), (0.2, rotation)])
        let began = channel.now
        #expect(Self.sensors(try DriverHarness(channel)).map(\.kind) == [.accelerometer, .gyroscope])
        #expect(began.seconds(to: channel.now) < 0.3)
    }

    @Test func `what the unit measures counts before what is left without gravity`() throws {
        let free =
            #"{"class":"ATT","device":"/dev/ttyACM0","acc_x":0,"acc_y":0,"acc_z":0,"gyro_x":0,"gyro_y":0,"gyro_z":0}"#
        for lines in [[free, Recorded.inertial], [Recorded.inertial, free]] {
            let channel = TimedChannel(
                Self.devices(), reports: [(0.1, lines[0]), (0.2, lines[1]), (0.3, Recorded.report())])
            let sensor = try #require(Self.sensors(try DriverHarness(channel)).first)
            #expect(sensor.evidence.map(\.said) == ["IMU UBX-ESF-RAW of its inertial unit"])
        }
        // Alone it may be exactly zero.
        let alone = TimedChannel(Self.devices(), reports: [(0.1, free), (0.3, Recorded.report())])
        let sensors = Self.sensors(try DriverHarness(alone))
        #expect(sensors.map(\.availability) == [.available, .available])
    }

    @Test(arguments: [("19613", Cause?.none), ("19614", .faulty)])
    func `acceleration that no unit measures is faulty`(value: String, cause: Cause?) throws {
        let report = Recorded.inertial.replacing("0.22656", with: value)
        let channel = TimedChannel(Self.devices(), reports: [(0.1, report), (0.2, Recorded.report())])
        let sensors = Self.sensors(try DriverHarness(channel))
        let accelerometer = try #require(sensors.first { $0.kind == .accelerometer })
        #expect(accelerometer.availability == (cause.map { .unavailable($0) } ?? .available))
        #expect((accelerometer.reading == nil) == (cause != nil))
        #expect(sensors.first { $0.kind == .gyroscope }?.availability == .available)
    }

    @Test func `an inertial unit that fell silent is silent`() throws {
        // No fix, and patience for one: the probe goes on.
        let channel = TimedChannel(
            Self.devices(), reports: [(0.1, Recorded.inertial)] + (1...12).map { (Double($0), Recorded.noFix) })
        let probe = try DriverHarness(channel, waitForFix: 9)
        let sensors = Self.sensors(probe)
        #expect(sensors.map(\.availability) == [.unavailable(.silent), .unavailable(.silent)])
        #expect(
            sensors.allSatisfy {
                $0.reading == nil && $0.detail?.hasPrefix("its inertial unit has reported nothing for") == true
            })
    }

    @Test(
        arguments: [
            ("3.22", "u-blox"), ("unknown", "u-blox"), ("2.96", "u-blox"), ("3.25", "OceanServer OS5000"),
            ("", "u-blox"),
        ])
    func `numbers without a known unit are raw`(release: String, driver: String) throws {
        let channel = TimedChannel(
            Self.devices(driver: driver, release: release),
            reports: [(0.1, Recorded.inertial), (0.2, Recorded.report())])
        let sensors = Self.sensors(try DriverHarness(channel))
        #expect(sensors.count == 2)
        for sensor in sensors {
            guard case .axes(let axes)? = sensor.reading else {
                Issue.record("no reading")
                continue
            }
            #expect(axes.unit == .raw && sensor.detail == "gpsd passes on its own numbers, so the value is raw")
        }
    }

    @Test(arguments: ["3.23", "3.23.1", "3.25", "3.26.1", "3.27~dev", "4.0", "10.1"])
    func `releases since 3.23 have units`(release: String) {
        #expect(InertialReport.hasUnits(release: release, driver: "u-blox"))
    }

    @Test(
        arguments: [
            #"{"class":"IMU"}"#, #"{"class":"IMU","acc_x":"9.8"}"#, #"{"class":"ATT","acc_x":null,"gyro_z":[1]}"#,
            #"{"class":"IMU","acc_x":1e999,"gyro_x":-1e999}"#, #"{"class":"ATT","acc_len":9.8,"heading":1}"#,
            #"{"class":"IMU","acc":{"x":1}}"#,
        ])
    func `an object without a finite axis is none of an inertial unit`(line: String) throws {
        let message = try #require(Message(line: Array(line.utf8)))
        if case .inertial = message { Issue.record("\(line) is taken for an inertial unit's") }
    }

    @Test func `NaN, which is no JSON, and a truncated object are garbage`() {
        for line in [#"{"class":"IMU","acc_x":NaN}"#, #"{"class":"IMU","acc_x":1.0"#, #"{"class":"IMU","acc_x":1.0,"#] {
            #expect(Message(line: Array(line.utf8)) == nil)
        }
    }

    @Test func `an object of a device that gpsd does not list is nobody's`() throws {
        let other = Recorded.inertial.replacing("ttyACM0", with: "ttyACM9")
        let channel = TimedChannel(Self.devices(), reports: [(0.1, other), (0.2, Recorded.report())])
        #expect(Self.sensors(try DriverHarness(channel)).isEmpty)
    }

    @Test func `a receiver that gpsd lost has no inertial unit`() throws {
        let channel = TimedChannel(
            Self.devices(),
            reports: [(0.1, Recorded.inertial), (0.2, #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#)])
        let probe = try DriverHarness(channel, hasNode: true)
        #expect(probe.sensor?.availability == .unavailable(.faulty) && Self.sensors(probe).isEmpty)
    }
}

/// Each row of the manual's table of gpsd's drivers, as the driver tells it.
@Suite struct InertialFidelityTests {
    struct ReportingReceiver: CustomTestStringConvertible, Sendable {
        let release, receiver, kind, told: String
        let acceleration, rotation: [String]

        var testDescription: String { "\(release): \(receiver)" }

        init?(_ cells: [String]) {
            guard cells.count == 6, cells[0].first?.isNumber == true else { return nil }
            (release, receiver, kind, told) = (cells[0], cells[1], cells[2], cells[5])
            acceleration = cells[3].split(separator: " ").map(String.init)
            rotation = cells[4].split(separator: " ").map(String.init)
        }

        var line: String {
            let fields = acceleration.map { #""acc_\#($0)":1.5"# } + rotation.map { #""gyro_\#($0)":0.5"# }
            return #"{"class":"\#(kind)","device":"/dev/ttyACM0","heading":1.0"#
                + fields.map { "," + $0 }.joined() + "}"
        }
    }

    static let rows: [ReportingReceiver] = {
        let manual = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/motion-sources.md")
        let lines = ((try? String(contentsOf: manual, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.filter { $0.hasPrefix("| ") }.compactMap { line in
            ReportingReceiver(
                line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                    $0.trimmingCharacters(in: .whitespaces)
                })
        }
    }()

    @Test func `the manual has the table`() { #expect(Self.rows.count >= 14) }

    @Test(arguments: rows) func `a receiver is told for what it is`(row: ReportingReceiver) throws {
        let driver = String(row.receiver.prefix { $0 != "," })
        let devices =
            #"{"class":"VERSION","release":"\#(row.release)"}"# + "\r\n"
            + Recorded.open.replacing("u-blox", with: driver)
        let probe = try DriverHarness(TimedChannel(devices, reports: [(0.1, row.line), (0.2, Recorded.report())]))
        let told = probe.findings.flatMap(\.others).map { sensor in
            guard case .axes(let axes)? = sensor.reading, sensor.availability == .available else {
                return "\(sensor.kind.id) \(sensor.availability.id)"
            }
            return "\(sensor.kind.id) \(axes.unit.rawValue)"
        }
        #expect((told.isEmpty ? "nothing" : told.joined(separator: ", ")) == row.told)
        #expect(probe.enumeration.obstacles.isEmpty)
    }
}

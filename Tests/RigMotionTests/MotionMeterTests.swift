import CaptureSupport
import DriverKit
import Foundation
import IIO
import Measurement
import Readiness
import LocalRig
import SystemPackage
import Testing

/// The capture of a measurement: through the buffer, recorded and replayed.
@Suite struct MotionMeterTests {
    private static let sensor = Sensor(
        key: "hub", kind: .accelerometer, name: "accel_3d", driver: "iio", path: "iio:device0")

    /// A period that ends at once, or after a time of the world's clock.
    private func period(_ seconds: Double, rate: Double? = nil) -> MeasuringPeriod {
        MeasuringPeriod(seconds: seconds, rate: rate, capacity: 1000, wait: { _ in false }, report: { _ in })
    }

    private func series(in world: any World, _ period: MeasuringPeriod) throws -> MotionSeries {
        let meter = try #require(try MotionMeter.meters(for: [Self.sensor], in: world).first)
        guard case .motion(let series)? = meter.series(in: world, during: period).first else {
            throw DriverError(.unsupported, subject: "no series of a motion sensor")
        }
        return series
    }

    private func frames(_ count: Int64) -> [Result<[UInt8], DriverError>] {
        (0..<count).map {
            .success(MemoryRig.scan([12, -31, 998 + Int16($0 % 3)], at: 1_000_000_000 + $0 * 20_000_000))
        }
    }

    @Test func `each scan is a sample with its counts and the kernel's time`() throws {
        let rig = MemoryRig()
        rig.addHub()
        rig.give(
            frames(5) + [.failure(DriverError(errno: .operationNotSupportedByDevice, subject: "hub"))],
            scanSize: MemoryRig.scanSize)
        let series = try series(in: CaptureWorld(rig, hardware: rig), period(60))
        #expect(series.method == .buffer && series.clock == "monotonic" && series.nominalRate == 50)
        #expect(Array(series.times) == (0..<5).map { 1_000_000_000 + $0 * 20_000_000 })
        #expect(series.counts == [[12, 12, 12, 12, 12], [-31, -31, -31, -31, -31], [998, 999, 1000, 998, 999]])
        #expect(series.axes.map(\.name) == ["x", "y", "z"] && series.axes.allSatisfy { $0.scale == 0.009806 })
        #expect(series.axes.allSatisfy { $0.leastCount == -32768 && $0.greatestCount == 32767 })
        #expect(series.fault?.contains("hub") == true)
        // A block at a time, each with the time of its last sample.
        #expect(!series.arrivals.isEmpty && series.arrivals.last?.time == series.times.last)
        #expect(series.arrivals.allSatisfy { (0...60).contains($0.received) })
    }

    @Test func `a rate that was asked for is set and put back`() throws {
        let rig = MemoryRig()
        rig.addHub(0, ["in_accel_sampling_frequency_available": "12.5 25 50 100"])
        rig.give(frames(1) + [.failure(DriverError(.closed, subject: "hub"))], scanSize: MemoryRig.scanSize)
        let series = try series(in: CaptureWorld(rig, hardware: rig), period(60, rate: 100))
        #expect(series.greatestRate == 100 && series.greatestScale == nil && !series.isRangeOfChip)
        #expect(rig.log.contains { $0.contains("in_accel_sampling_frequency = 100") })
        #expect(rig.value(0, "in_accel_sampling_frequency") == "50.000000")
        #expect(rig.value(0, "scan_elements/in_accel_x_en") == "1" && rig.value(0, "buffer/length") == "2")
        #expect(rig.log.last { $0.hasPrefix("close") || $0.hasPrefix("open") } == "close iio:device0")
    }

    @Test func `a recording gives the same series`() throws {
        let rig = MemoryRig()
        rig.addHub()
        rig.give(frames(7) + [.failure(DriverError(.closed, subject: "hub"))], scanSize: MemoryRig.scanSize)
        let recorder = Recorder()
        let live = try series(
            in: RecordingWorld(CaptureWorld(rig, hardware: rig), of: "measure", to: recorder, isLate: true), period(60))
        #expect(live.times.count == 7)
        let header = Recording.Header(
            version: "1", takenAt: "2026-11-21T08:00:00Z", host: "h", kernel: "k", boot: "b", user: "u", uid: 0,
            drivers: [], depth: .sample, gpsd: "127.0.0.1:2947", iio: [], timeout: 2, waitFix: 0,
            criteria: FixCriteria())
        let recording = try Recording(
            parsing: Recording(header: header, from: recorder).serialized(compressed: true), file: "a recording")
        #expect(try series(in: ReplayWorld(recording, of: "measure"), period(60)) == live)
    }

    @Test func `a hub that stops delivering has a gap up to the end`() throws {
        let rig = MemoryRig()
        rig.addHub()
        rig.give(frames(3), scanSize: MemoryRig.scanSize)
        let series = try series(in: CaptureWorld(rig, hardware: rig), period(1.6))
        #expect(series.times.count == 3 && series.fault == nil)
        #expect((series.ended ?? 0) > (series.times.last ?? 0) + 1_000_000_000)
    }

    @Test func `a measurement that is told to end before it began sets nothing`() throws {
        let rig = MemoryRig()
        rig.addHub()
        let period = MeasuringPeriod(seconds: 5, rate: 100, capacity: 10, wait: { _ in true }, report: { _ in })
        #expect(try series(in: CaptureWorld(rig, hardware: rig), period).method.id == "unmeasured")
        #expect(rig.log == [])
    }

    @Test func `without the right to the buffer attributes are read, and it says so`() throws {
        let rig = MemoryRig()
        rig.addHub()
        rig.forbid(0, "buffer/enable")
        let series = try series(in: CaptureWorld(rig, hardware: rig), period(0.05))
        guard case .attributes(let reason, let remedies) = series.method else {
            Issue.record("\(series.method)")
            return
        }
        #expect(reason.contains("may not write") && remedies == [.option(.asRoot)])
        #expect(series.counts.first?.first == 12 && series.counts.last?.first == 998)
        #expect(!rig.log.contains { $0.contains(" = ") })
    }

    /// The remedies of the attributes that are read instead of the buffer.
    private func remedies(_ rig: MemoryRig, of sensor: Sensor = Self.sensor) throws -> (reason: String, [Remedy]) {
        let meter = try #require(try MotionMeter.meters(for: [sensor], in: CaptureWorld(rig, hardware: rig)).first)
        guard
            case .motion(let series)? = meter.series(in: CaptureWorld(rig, hardware: rig), during: period(0.05)).first,
            case .attributes(let reason, let remedies) = series.method
        else { throw DriverError(.unsupported, subject: "not read by attributes") }
        return (reason, remedies)
    }

    @Test func `who may not open the node is told how to get access, as in a check`() throws {
        var sensor = Self.sensor
        sensor.accessRemedies = [.command("sudo adduser me iio")]
        let rig = MemoryRig()
        rig.addHub()
        rig.bar("/dev/iio:device0", .permissionDenied)
        #expect(try remedies(rig, of: sensor).1 == [.command("sudo adduser me iio"), .option(.asRoot)])
        // Whoever may open the node, the buffer's settings are root's.
        rig.forbid(0, "buffer/enable")
        #expect(try remedies(rig, of: sensor).1 == [.option(.asRoot)])
    }

    @Test func `a chip without a trigger is told how to get one`() throws {
        let rig = MemoryRig()
        rig.addHub(0, ["trigger/current_trigger": ""])
        let (reason, remedies) = try remedies(rig)
        #expect(reason.hasSuffix("it has no trigger"))
        guard case .command(let command, _)? = remedies.first else {
            Issue.record("\(remedies)")
            return
        }
        #expect(command.line.contains("modprobe iio-trig-hrtimer"))
        #expect(command.line.hasSuffix("| sudo tee \(MemoryRig.folder(0))/trigger/current_trigger"))
    }

    @Test func `the range is the chip's where its driver lists the scales`() throws {
        for (attributes, isOfChip) in [([:], false), (["in_accel_scale_available": "0.009806 0.019613"], true)] {
            let rig = MemoryRig()
            rig.addHub(0, attributes)
            rig.give(frames(2) + [.failure(DriverError(.closed, subject: "hub"))], scanSize: MemoryRig.scanSize)
            #expect(try series(in: CaptureWorld(rig, hardware: rig), period(60)).isRangeOfChip == isOfChip)
        }
    }

    @Test func `who looks at the signals reads attributes, and sets nothing`() throws {
        let rig = MemoryRig()
        rig.addHub()
        let meter = try #require(try MotionMeter.meters(for: [Self.sensor], in: rig).first)
        let halt = try Waker()
        // Only where nothing is delivered.
        _ = Worker.start {
            halt.wait(until: .now.advanced(bySeconds: 30))
            halt.wake()
        }
        var told: [(sensor: Sensor, axes: AxesReading, time: Int64)] = []
        try meter.readSignals(in: rig, hertz: 1000, until: halt) { sensor, axes, time in
            told.append((sensor, axes, time))
            if told.count == 3 { halt.wake() }
        }
        #expect(told.count == 3 && told.allSatisfy { $0.sensor == Self.sensor && $0.axes == told[0].axes })
        #expect(abs((told.first?.axes.z ?? 0) - 998 * 0.009806) < 1e-9)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(rig.log.isEmpty)
    }

    /// What `readSignals` delivers, at most so many samples, of a device below a bus whose values are read like this.
    private func signals(
        below bus: String, upTo count: Int, _ read: @escaping @Sendable () throws(DriverError) -> Void
    ) throws -> Int {
        let rig = MemoryRig()
        rig.addHub()
        let world = DelayedWorld(rig: rig, bus: bus, read: read)
        let meter = try #require(try MotionMeter.meters(for: [Self.sensor], in: world).first)
        let halt = try Waker()
        var told = 0
        try meter.readSignals(in: world, hertz: 1000, until: halt) { _, _, _ in
            told += 1
            if told == count { halt.wake() }
        }
        return told
    }

    @Test func `signals of a slow chip are waited for`() throws {
        // Three axes take longer than a hub has.
        let told = try signals(below: "i2c-1/1-0018", upTo: 2) { () throws(DriverError) in
            _ = try Waker().wait(until: .now.advanced(bySeconds: 0.4))
        }
        #expect(told == 2)
    }

    @Test func `a hub that is silent is given up, since a read delays its removal`() throws {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        let over = try Waker()
        // Only where the read is not interrupted.
        _ = Worker.start {
            over.wait(until: .now.advanced(bySeconds: 60))
            try? writeEnd.close()
        }
        defer {
            over.wake()
            try? readEnd.close()
        }
        let error = #expect(throws: DriverError.self) {
            _ = try signals(below: "HID-SENSOR-200073.1.auto", upTo: 1) { () throws(DriverError) in
                // The driver returns a value then, as after its own time.
                try? unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
                    _ = try unsafe readEnd.read(into: buffer, retryOnInterrupt: false)
                }
            }
        }
        #expect(error?.code == .timedOut && error?.subject == "iio:device0")
    }

    @Test func `a device that another program captures from is not measured`() throws {
        let rig = MemoryRig()
        rig.addHub()
        rig.bar("/dev/iio:device0", .resourceBusy)
        let series = try series(in: CaptureWorld(rig, hardware: rig), period(1))
        #expect(series.method.id == "unmeasured" && series.times.isEmpty)
    }
}

/// A rig whose first device is below another bus, and whose raw values are read by a test.
private struct DelayedWorld: World {
    let rig: MemoryRig
    let bus: String
    let read: @Sendable () throws(DriverError) -> Void

    private func inside(_ path: FilePath) -> FilePath {
        FilePath(path.string.replacingOccurrences(of: "/\(bus)/", with: "/bus0/"))
    }

    func account() throws(DriverError) -> Account { try rig.account() }
    func now() -> Instant { rig.now() }
    func modules(for alias: String) throws(DriverError) -> [String] { [] }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        try rig.devices(in: subsystem).map {
            FilePath($0.string.replacingOccurrences(of: "/bus0/", with: "/\(bus)/"))
        }
    }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { try rig.entries(of: inside(folder)) }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { try rig.status(of: inside(node)) }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        let bytes = try rig.contents(of: inside(file), limit: limit)
        if file.string.hasSuffix("_raw") { try read() }
        return bytes
    }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        try rig.channel(to: endpoint, until: deadline)
    }
}

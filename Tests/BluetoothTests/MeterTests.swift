import DriverKit
import Measurement
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing
@testable import Bluetooth

/// The measurement of controllers, beside a kernel that is scripted.
@Suite struct MeterTests {
    private func series(
        in rig: Rig, capacity: Int = 1000, report: @escaping @Sendable (MeasuringPeriod.Progress) -> Void = { _ in }
    ) throws -> ControllerSeries {
        let sensor = Sensor(
            key: "00:AA:01:00:00:00", kind: .bluetoothAdapter, name: "hci0", driver: BluetoothDriver.identifier,
            path: "hci0")
        // It ends after ten questions, however long they take.
        let waits = Mutex(0)
        let period = MeasuringPeriod(
            seconds: 600, rate: nil, capacity: capacity,
            wait: { _ in
                waits.withLock { waits in
                    waits += 1
                    return waits > 10
                }
            }, report: report)
        let meter = try #require(ControllerMeter(for: [sensor]))
        guard case .controller(let series)? = meter.series(in: rig.world, during: period).first else {
            throw DriverError(.unsupported, subject: "no series of a controller")
        }
        return series
    }

    @Test func `a late answer is not that of the next question`() throws {
        /// The first socket answers each question with the answer that the one before was owed.
        final class Late: Sendable {
            let sockets = Mutex(0)
            let questions = Mutex(0)
        }
        let late = Late()
        var rig = Rig()
        rig.serve(.management) {
            let socket = late.sockets.withLock { sockets in
                sockets += 1
                return sockets
            }
            return FakeChannel { _ in
                if socket > 1 { return [Packets.information(0)] }
                let question = late.questions.withLock { questions in
                    questions += 1
                    return questions
                }
                // The third one is late, and from before a change of power.
                return question < 3
                    ? [Packets.information(0)]
                    : question == 3 ? [] : [Packets.information(0, current: Packets.off), Packets.information(0)]
            }
        }
        let series = try series(in: rig)
        #expect(series.fault == nil && series.unanswered == 1 && series.powerChanges.isEmpty)
        #expect(series.answers.count == 9 && late.sockets.withLock(\.self) == 2)
    }

    @Test func `answers are bounded`() throws {
        var rig = Rig()
        rig.respond { _ in [Packets.information(0)] }
        let values = Mutex<[[Double]]>([])
        let series = try series(in: rig, capacity: 5) { progress in values.withLock { $0.append(progress.values) } }
        #expect(series.answers.count == 5 && series.dropped == 5)
        // Who waits sees the time of each answer.
        #expect(values.withLock { Array($0.prefix(5)) } == series.answers.map { [$0] })
    }

    @Test(arguments: [
        (Packets.on, "buffer"), (Packets.off, "unmeasured"), (Packets.onWithoutLowEnergy, "unmeasured"),
    ])
    func `a controller with which nothing can be found is not measured as good`(current: [UInt8], method: String) throws
    {
        var rig = Rig()
        rig.respond { _ in [Packets.information(0, current: current)] }
        #expect(try series(in: rig).method.id == method)
    }

    @Test func `a socket that does not open is no sensor that is good`() throws {
        var rig = Rig()
        rig.refuse(.management, .permissionDenied)
        let series = try series(in: rig)
        #expect(series.method.id == "unmeasured" && series.answers.isEmpty)
        guard case .unmeasured(_, let remedies) = series.method else { return }
        #expect(remedies == [.option(.asRoot)])
    }
}

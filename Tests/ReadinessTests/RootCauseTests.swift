import Testing
@testable import Readiness

/// What is wrong with a rig, once for each physical cause, in the order in which to repair it.
@Suite struct RootCauseTests {
    private static let modprobe: [Remedy] = [.command("sudo modprobe bmi160_i2c")]

    private static func sensor(
        _ key: String, _ kind: SensorKind, _ cause: Cause?, name: String = "chip", access: Access = .readable,
        remedies: [Remedy] = [.advice("look")], accessRemedies: [Remedy] = []
    ) -> Sensor {
        Sensor(
            key: key, kind: kind, name: name, driver: kind == .locationReceiver ? "gpsd" : "iio",
            availability: cause.map { .unavailable($0) } ?? .available, access: access, remedies: remedies,
            accessRemedies: accessRemedies)
    }

    private static let receiver = sensor("/dev/ttyACM0", .locationReceiver, nil, name: "u-blox")
    private static let controller = sensor("00:AA", .bluetoothAdapter, nil, name: "hci0")
    private static let counter = sensor("steps", .stepCounter, nil)
    private static let chip = [SensorKind.accelerometer, .gyroscope].map {
        sensor("i2c-1/1-0069", $0, .noDriver, name: "bmi160", access: .unknown, remedies: modprobe)
    }
    private static let hub = [
        sensor("hub/73", .accelerometer, .silent, name: "accel_3d"),
        sensor("hub/76", .gyroscope, .silent, name: "gyro_3d"),
    ]
    private static let motion = [sensor("m", .accelerometer, nil), sensor("m", .gyroscope, nil)]

    private func assess(
        _ sensors: [Sensor], obstacles: [Obstacle] = [], _ service: Service? = nil,
        _ change: (inout Authorizations) -> Void = { _ in }, pins: [SensorKind: String] = [:], strict: Bool = false
    ) throws -> Assessment {
        let drivers = [SensorKind.locationReceiver, .bluetoothAdapter].map {
            DriverReport(name: "\($0)", kinds: [$0], state: .ok, access: .readable)
        }
        let inventory = Inventory(depth: .sample, drivers: drivers, sensors: sensors, obstacles: obstacles)
        var authorizations = Authorizations(access: inventory)
        change(&authorizations)
        return Assessment(
            inventory,
            of: RigIdentity(host: "", kernel: "", boot: "", source: .live, user: "", uid: 1000, takenAt: ""),
            authorizations: authorizations,
            request: Assessment.Request(try Evaluator(of: service.map { ServiceSet($0) }), pins: pins, strict: strict))
    }

    @Test func `a rig that runs has none`() throws {
        #expect(try assess(Self.motion + [Self.receiver, Self.controller, Self.counter]).rootCauses == [])
    }

    @Test func `an unbound chip is one cause, with all that it blocks`() throws {
        let causes = try assess(Self.chip + [Self.receiver, Self.controller, Self.counter]).rootCauses
        #expect(causes.count == 1)
        #expect(causes.first?.id == "noDriver:i2c-1/1-0069" && causes.first?.title == "bmi160: no driver")
        #expect(causes.first?.requirements == [.motion, .gyroscope, .accelerometer])
        #expect(causes.first?.sensors == ["i2c-1/1-0069"] && causes.first?.remedies == Self.modprobe)
        #expect(
            causes.first?.unlocks.contains(.distractionFreeDriving) == true
                && causes.first?.unlocks.contains(.places) == false)
    }

    @Test func `every remedy is given, and one that a command is comes first`() throws {
        let causes = try assess(Self.hub + Self.chip + [Self.receiver, Self.controller, Self.counter]).rootCauses
        #expect(causes.map(\.id) == ["noDriver:i2c-1/1-0069", "silent:hub/73"])
        #expect(causes.map(\.title) == ["bmi160: no driver", "accel_3d, gyro_3d: silent"])
        // Either is enough: both unlock the same, and the second says so.
        #expect(causes[0].unlocks == causes[1].unlocks && !causes[0].unlocks.isEmpty)
        #expect(causes.map(\.alternativeTo) == [nil, causes[0].id])
    }

    @Test func `the cause whose repair improves most comes first, and each counts what is repaired before it`() throws {
        let off = Self.sensor("00:AA", .bluetoothAdapter, .softBlocked, name: "hci0")
        let noFix = Self.sensor("/dev/ttyACM0", .locationReceiver, .noFix, name: "u-blox")
        let causes = try assess(Self.chip + [noFix, off, Self.counter]).rootCauses
        #expect(causes.map(\.cause) == [.noFix, .noDriver, .softBlocked])
        #expect(causes[0].unlocks.contains(.driving) && !causes[0].unlocks.contains(.distractionFreeDriving))
        #expect(causes[1].unlocks.contains(.distractionFreeDriving))
        #expect(causes[2].unlocks == [.deviceDiscovery])
    }

    @Test func `a receiver without a running gpsd is the same cause`() throws {
        let start: [Remedy] = [.command("sudo systemctl start gpsd.socket")]
        let add: [Remedy] = [.command("sudo systemctl start gpsd.socket && sudo gpsdctl add /dev/ttyACM0")]
        let obstacle = Obstacle(
            kind: .locationReceiver, cause: .unreachable, detail: "refused", remedies: start, driver: "gpsd")
        let idle = Self.sensor("/dev/ttyACM0", .locationReceiver, .inactive, name: "u-blox", remedies: add)
        let causes = try assess([idle], obstacles: [obstacle], .places).rootCauses
        #expect(causes.map(\.id) == ["unreachable:location"])
        #expect(causes[0].remedies == add && causes[0].sensors == ["/dev/ttyACM0"] && causes[0].unlocks == [.places])
    }

    @Test func `a decision and the hardware behind it are two causes`() throws {
        let noFix = Self.sensor("/dev/ttyACM0", .locationReceiver, .noFix, name: "u-blox")
        let causes = try assess([noFix], .places) {
            $0.location = Authorization(.denied, from: .grant, evidence: "grants: location: denied")
        }.rootCauses
        #expect(causes.map(\.id) == ["denied:location", "noFix:/dev/ttyACM0"])
        #expect(causes.map(\.unlocks) == [[], [.places]])
        #expect(causes.map(\.alternativeTo) == [nil, nil])
    }

    @Test func `denied nodes are one cause, and only the pinned one's remedy is given`() throws {
        func denied(_ name: String, _ kind: SensorKind) -> Sensor {
            Self.sensor(
                name, kind, nil, name: name, access: .denied,
                accessRemedies: ShellWord("/dev/\(name)").map { [.command("sudo setfacl -m u:ci:r \($0)")] } ?? [])
        }
        let sensors = [
            denied("iio:device0", .gyroscope), denied("iio:device1", .accelerometer), Self.receiver,
        ]
        let all = try assess(sensors, .walking)
        #expect(all.rootCauses.map(\.id) == ["denied:iio:device1"])
        #expect(all.rootCauses[0].remedies.count == 2 && all.rootCauses[0].title == "motion access denied")
        let pinned = try assess(
            sensors, .walking, pins: [.gyroscope: "iio:device0", .accelerometer: "elsewhere"])
        #expect(pinned.result(of: .motion)?.remedies == sensors[0].accessRemedies)
        #expect(pinned.rootCauses.first?.remedies == sensors[0].accessRemedies)
    }

    @Test func `who has no motion sensor lacks one thing`() throws {
        let causes = try assess([Self.receiver, Self.controller]).rootCauses
        #expect(causes.map(\.id) == ["absent:motion", "absent:healthStore"])
        #expect(causes[0].requirements == [.motion, .gyroscope, .accelerometer])
    }

    /// As many sensors of one driver as a probe takes, each with a remedy of its own.
    @Test func `a thousand causes are told in the order of their sensors`() throws {
        let many = (1000..<2024).map { number in
            Self.sensor(
                "chip\(number)", .accelerometer, .silent,
                remedies: [.command("echo \(number) | sudo tee sampling_frequency")])
        }
        let causes = try assess(many + [Self.receiver, Self.controller, Self.counter]).rootCauses
        let isInOrder = causes.filter { $0.cause == .silent }.map(\.sensors) == many.map { [$0.key] }
        #expect(isInOrder)
    }

    @Test func `identifiers are unique, and repairing all of them leaves every service running`() throws {
        // Every combination of a state of each of four sensors.
        let states: [Cause?] = [nil, .silent, .noDriver, .indeterminate, .faulty]
        let services = Evaluator.all.listed
        for first in states {
            for second in states {
                for third in [nil, .noFix, .stale, .inactive] as [Cause?] {
                    let sensors = [
                        Self.sensor("a", .accelerometer, first), Self.sensor("a", .gyroscope, second),
                        Self.sensor("b", .gyroscope, first), Self.sensor("r", .locationReceiver, third),
                    ]
                    let assessment = try assess(sensors)
                    let causes = assessment.rootCauses
                    #expect(Set(causes.map(\.id)).count == causes.count)
                    let short = assessment.services.filter { $0.verdict != .runs }.map(\.service)
                    #expect(Set(causes.flatMap(\.unlocks)) == Set(short))
                    #expect(short.allSatisfy { services.contains(ServiceSet($0)) })
                }
            }
        }
    }

    @Test func `what does not work beside what does is told`() throws {
        let assessment = try assess(Self.motion + Self.hub + [Self.receiver, Self.controller, Self.counter])
        let impact = try #require(assessment.services.first { $0.service == .impactDetection })
        #expect(impact.verdict == .runs && assessment.rootCauses == [])
        #expect(assessment.sensors(failingBeside: impact).map(\.key) == ["hub/73", "hub/76"])
        // The hub may be captured from, and delivers nothing.
        #expect(Set(assessment.sensors(deciding: impact).map(\.key)) == ["m", "/dev/ttyACM0"])
        #expect(assessment.notices.map(\.id) == [.unreadSameKind, .unreadSameKind])
        let places = try #require(assessment.services.first { $0.service == .places })
        #expect(assessment.sensors(failingBeside: places).isEmpty)
        // A pin says which one counts.
        let pinned = try assess(
            Self.motion + Self.hub + [Self.receiver], .impactDetection, pins: [.accelerometer: "m", .gyroscope: "m"])
        #expect(pinned.notices == [])
    }

    @Test func `a value without scale is noticed, and only a strict check rejects it`() throws {
        func raw(_ kind: SensorKind, _ unit: AxesReading.Unit) -> Sensor {
            var sensor = Self.sensor("\(unit.rawValue)", kind, nil)
            sensor.reading = .axes(AxesReading(x: 1, y: 2, z: 3, unit: unit))
            return sensor
        }
        let sensors = [raw(.accelerometer, .raw), raw(.gyroscope, .raw), Self.receiver, Self.controller, Self.counter]
        let lenient = try assess(sensors)
        #expect(lenient.status == .ready)
        #expect(lenient.notices.map(\.id) == [.rawValue])
        #expect(try assess(sensors, strict: true).status == .notReady)
        #expect(try assess(sensors, .places, strict: true).status == .ready)
        let better = sensors + [raw(.accelerometer, .metresPerSecondSquared), raw(.gyroscope, .radiansPerSecond)]
        let strict = try assess(better, strict: true)
        #expect(strict.status == .ready)
        #expect(strict.result(of: .gyroscope)?.decidedBy == ["rad/s"])
    }

    /// No service says on which axes it relies.
    @Test(
        arguments: [
            ([1.0, nil, nil], Verdict.undetermined, "one axis"), ([nil, nil, 9.8], .undetermined, "one axis"),
            ([1, nil, 9.8], .undetermined, "2 axes"), ([1, 2, 9.8], .runs, nil),
        ] as [([Double?], Verdict, String?)])
    func `a sensor of fewer than three axes leaves its requirement unknown`(
        axes: [Double?], verdict: Verdict, words: String?
    ) throws {
        var accelerometer = Self.sensor("few", .accelerometer, nil)
        accelerometer.reading = .axes(AxesReading(x: axes[0], y: axes[1], z: axes[2], unit: .metresPerSecondSquared))
        var gyroscope = Self.sensor("g", .gyroscope, nil)
        gyroscope.reading = .axes(AxesReading(x: 1, y: 2, z: 3, unit: .radiansPerSecond))
        let others = [gyroscope, Self.receiver, Self.controller, Self.counter]
        let assessment = try assess([accelerometer] + others, .impactDetection)
        let impact = try #require(assessment.services.first { $0.service == .impactDetection })
        #expect(impact.verdict == verdict)
        let result = try #require(assessment.result(of: .accelerometer))
        #expect(
            result.status == (words == nil ? .met : .unknown) && result.cause == (words == nil ? nil : .indeterminate))
        #expect(assessment.notices.map(\.id) == (words == nil ? [] : [.fewAxes]))
        if let words {
            #expect(assessment.notices[0].detail.contains("\(words) of three"))
            #expect(result.detail?.contains("\(words) of three") == true && !result.remedies.isEmpty)
        }
        // It may be captured from all the same, and another sensor with three axes decides.
        #expect(assessment.result(of: .motion)?.status == .met)
        var whole = accelerometer
        (whole.key, whole.reading) = ("whole", .axes(AxesReading(x: 1, y: 2, z: 3, unit: .metresPerSecondSquared)))
        let better = try assess([accelerometer, whole] + others, .impactDetection)
        #expect(better.status == .ready && better.result(of: .accelerometer)?.decidedBy.contains("whole") == true)
    }

    @Test func `a position without an error is precise, with a notice`() throws {
        func receiver(_ error: Double?) -> Sensor {
            var receiver = Self.receiver
            receiver.reading = .position(PositionReading(fix: .threeDimensional, horizontalError: error))
            return receiver
        }
        let unknown = try assess([receiver(nil)], .places)
        #expect(unknown.result(of: .preciseLocation)?.status == .met)
        #expect(unknown.notices.map(\.id) == [.lowAccuracy])
        #expect(unknown.notices.first?.detail.contains("reports no horizontal error") == true)
        #expect(try assess([receiver(4)], .places).notices == [])
        // Rounded, it would look like the limit.
        let above = try assess([receiver(100.01)], .places)
        #expect(above.result(of: .preciseLocation)?.detail?.contains("100.01 m; the limit is 100 m") == true)
    }
}

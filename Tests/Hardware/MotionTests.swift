import Testing

/// Accelerometers, gyroscopes and step counters of real kernel drivers.
@Suite struct MotionBenchTests {
    @Test func `a complete rig makes the services run`() throws {
        let bench = try Bench.case("everything")
        for service in ["driving.distractionFreeDriving", "impactDetection", "driving.deviceDiscovery"] {
            #expect(bench.verdict(service) == "runs")
        }
        for kind in ["accelerometer", "gyroscope"] {
            let sensors = bench.sensors(kind)
            #expect(sensors.count == 2)
            #expect(sensors.allSatisfy { $0.availability == "available" })
        }
        #expect(bench.sensors("bluetoothAdapter").map(\.reading?.state) == ["poweredOn"])
        #expect(bench.sensors("locationReceiver").map(\.reading?.fix) == ["3D"])
        #expect(bench.status == bench.report.exitStatus)
        #expect(bench.complaints == "")
    }

    @Test func `a full rig is ready`() throws {
        let bench = try Bench.case("demo")
        #expect(bench.status == 0)
        #expect(bench.report.services.allSatisfy { $0.verdict == "runs" })
        #expect(bench.sensors("stepCounter").map(\.reading?.steps) == [1234])
    }

    @Test func `values are in SI units`() throws {
        let bench = try Bench.case("everything")
        let chip = try #require(bench.sensors("accelerometer").first { $0.name == "bmi160" }?.reading)
        // 16384 counts at 2 g: one g.
        #expect(abs((chip.z ?? 0) - 9.8) < 0.02)
        #expect(chip.unit == "m/s^2")
        let spin = try #require(bench.sensors("gyroscope").first { $0.name == "bmi160" }?.reading)
        // 16 counts at 2000 degrees a second.
        #expect(abs((spin.x ?? 0) - 16 * 2000 / 32768 * .pi / 180) < 1e-4)
        #expect(spin.unit == "rad/s")
    }

    @Test func `only the missing gyroscope is absent`() throws {
        let bench = try Bench.case("no-gyroscope")
        #expect(bench.standing("gyroscope") == "unmet absent")
        #expect(bench.standing("accelerometer") == "met")
        #expect(bench.standing("motion") == "met")
        #expect(bench.status == 1)
    }

    @Test(arguments: ["lsm6ds3", "mpu6050"])
    func `six axes in any layout are both sensors`(name: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("gyroscope") == "met")
        #expect(bench.standing("accelerometer") == "met")
    }

    @Test func `two identical devices keep their keys`() throws {
        func keys(_ name: String) throws -> [String] { try Bench.case(name).sensors("accelerometer").map(\.key) }
        let both = try keys("two-alike")
        #expect(Set(both).count == 2)
        #expect(try keys("two-alike-first-removed") == [both[1]])
        #expect(try keys("two-alike-put-back") == both)
    }

    @Test func `a scale that cannot be read shows the raw value`() throws {
        let bench = try Bench.case("scale-unreadable")
        let sensor = try #require(bench.sensors("accelerometer").first)
        #expect(sensor.availability == "available")
        #expect(sensor.reading?.unit == "raw")
        #expect(sensor.detail?.contains("EINVAL") == true)
        #expect(bench.sensors("gyroscope").map(\.reading?.unit) == ["rad/s"])
    }

    @Test func `exact zero on three axes is silent`() throws {
        #expect(try Bench.case("all-zero").standing("accelerometer") == "unmet silent")
        let hub = try Bench.case("hub-zero")
        #expect(hub.standing("accelerometer") == "unmet silent")
        // A gyroscope at rest may measure zero.
        #expect(hub.standing("gyroscope") == "met")
    }

    @Test func `a step counter is powered off until switched on`() throws {
        let off = try Bench.case("steps-off")
        #expect(off.standing("healthStore") == "unmet poweredOff")
        #expect(off.requirement("stepsRead")?.rootCause == "healthStore")
        #expect(off.requirement("healthStore")?.remedy?.contains("in_steps_en") == true)
        let on = try Bench.case("steps-on")
        #expect(on.standing("healthStore") == "met")
        #expect(on.standing("stepsRead") == "met")
        #expect(on.verdict("health") == "runs")
    }

    @Test func `a chip without driver is reported with its module`() throws {
        let bench = try Bench.case("no-driver")
        for id in ["gyroscope", "accelerometer", "motion"] {
            #expect(bench.standing(id) == "unmet noDriver")
            #expect(bench.requirement(id)?.remedy == "modprobe bmi160_i2c")
        }
        #expect(try Bench.case("no-driver-mended").standing("gyroscope") == "met")
        let hub = try Bench.case("no-driver-hid")
        #expect(hub.standing("accelerometer") == "unmet noDriver")
        #expect(hub.requirement("accelerometer")?.remedy == "modprobe hid_sensor_accel_3d")
        #expect(hub.standing("gyroscope") == "met")
    }

    @Test(arguments: [0, 40, 120, 300])
    func `a chip removed at any moment is available or absent`(moment: Int) throws {
        let bench = try Bench.case("unplugged-\(moment)")
        #expect(["met", "unmet absent"].contains(bench.standing("gyroscope")))
        #expect(bench.complaints == "")
    }

    @Test func `a hub unplugged while it is read is not available`() throws {
        let bench = try Bench.case("unplugged-while-read")
        let sensors = bench.sensors("accelerometer") + bench.sensors("gyroscope")
        #expect(sensors.count == 2)
        // The blocked read ends with its own error, or the sensor is gone.
        for sensor in sensors { #expect(["absent", "silent", "faulty"].contains(sensor.availability)) }
    }

    @Test(arguments: ["hub-frozen", "hub-mute"])
    func `a hub that does not answer is silent in time`(name: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("accelerometer") == "unmet silent")
        #expect(bench.standing("gyroscope") == "unmet silent")
        #expect(bench.requirement("gyroscope")?.remedy?.contains("--timeout") == true)
        #expect(bench.driver("iio")?.state == "timedOut")
        // The time limit was three seconds; the kernel would have blocked for five to ten.
        #expect(bench.milliseconds < 5_000)
    }

    @Test func `a hub that answers again is available again`() throws {
        #expect(try Bench.case("hub-thawed").standing("gyroscope") == "met")
        #expect(try Bench.case("hub-quiet").standing("gyroscope") == "met")
    }

    @Test func `a frozen hub hides no good sensor`() throws {
        let bench = try Bench.case("hub-frozen-beside-good")
        #expect(bench.standing("accelerometer") == "met")
        #expect(bench.standing("gyroscope") == "met")
        #expect(bench.sensors("gyroscope").map(\.availability).sorted() == ["available", "silent"])
        #expect(bench.requirement("gyroscope")?.decidedBy.count == 1)
    }

    @Test(arguments: ["slow-sensor", "slow-sensor-enough-time"])
    func `a slow sensor is given the time that its rate needs`(_ name: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("accelerometer") == "met")
        #expect(bench.sensors("accelerometer").first?.detail == "1 Hz")
        #expect(bench.sensors("accelerometer").first?.reading?.z != nil)
        #expect(bench.report.notices.contains { $0.id == "slowSensor" } == (name == "slow-sensor"))
    }

    @Test func `a slow sensor without that time is unknown, and both remedies are named`() throws {
        let bench = try Bench.case("slow-sensor-short-timeout")
        #expect(bench.standing("accelerometer") == "unknown indeterminate")
        let sensor = try #require(bench.sensors("accelerometer").first)
        #expect(sensor.availability == "indeterminate")
        #expect(sensor.detail?.hasPrefix("samples at 1 Hz: three axes take 6 s") == true)
        let remedy = try #require(bench.requirement("accelerometer")?.remedy)
        #expect(remedy.contains("--timeout 7"))
        #expect(remedy.contains("echo 100 | tee /sys/"))
        #expect(bench.report.notices.contains { $0.id == "slowSensor" })
    }

    @Test func `many slow chips are read side by side`() throws {
        let bench = try Bench.case("many-chips")
        #expect(bench.sensors("accelerometer").map(\.availability) == Array(repeating: "available", count: 11))
        #expect(bench.sensors("gyroscope").map(\.availability) == ["available"])
    }

    @Test func `the process ends while the kernel holds its child`() throws {
        let bench = try Bench.case("hub-suspended")
        #expect(bench.sensors("accelerometer").map(\.availability) == ["silent"])
        #expect(bench.status == 1)
        #expect(try Bench.text("hub-suspended-left.txt").split(separator: "\n").count == 1)
        // Nothing that its caller waits for: its own files, and the pipe to the process that has ended.
        let open = try Bench.text("hub-suspended-open.txt").split(separator: "\n").filter { $0.contains(" -> ") }
        let numbers = open.compactMap { $0.split(separator: " ").dropLast(2).last.flatMap { Int($0) } }
        #expect(!open.isEmpty && numbers.count == open.count && numbers.allSatisfy { $0 > 2 })
        // Each of its threads lists the same.
        #expect(Set(open.filter { $0.contains(" -> pipe:") }.compactMap { $0.split(separator: " ").last }).count == 1)
    }

    @Test func `a watch beside a stuck hub leaves one process, with one thread a sensor`() throws {
        let numbers = try Bench.text("hub-suspended-watch.txt").split(separator: "\n").compactMap { Int($0) }
        try #require(numbers.count == 4)
        #expect(numbers[0] == 1)
        // Both hung when the watch was first asked; the kernel may have got further with one of them since.
        #expect((1...2).contains(numbers[1]))
        // Twelve others take part in probes. One more a probe and sensor would be six more, and those that read would be eight.
        #expect(numbers[2] <= 17, "\(numbers)")
    }

    @Test func `a captured sensor is available`() throws {
        #expect(try Bench.case("hub-captured").standing("accelerometer") == "met")
        let bench = try Bench.case("in-use")
        let sensor = try #require(bench.sensors("accelerometer").first)
        #expect(sensor.availability == "available")
        #expect(sensor.reading == nil)
        #expect(bench.report.notices.contains { $0.id == "inUse" })
    }
}

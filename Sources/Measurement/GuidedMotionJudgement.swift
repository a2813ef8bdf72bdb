internal import Glibc
internal import Readiness

extension RigMeasurement {
    /// Judges sign, scale and order of the axes of every motion sensor by the motion through which it was guided.
    ///
    /// The gyroscopes' turns are compared with what the first accelerometer that followed all poses saw, and else with a
    /// quarter turn. Source: Tedaldi, Pretto and Menegatti, "A Robust and Easy to Implement Method for IMU Calibration
    /// without External Equipments", for poses between turns; the tolerances are those of a hand.
    mutating func judgeGuidedMotion(_ series: [SensorSeries]) {
        var gravity: [Vector]?
        // The accelerometers first, since the gyroscopes are judged beside one.
        for kind in [SensorKind.accelerometer, .gyroscope] {
            for case (let index, .motion(let one)) in series.enumerated() where one.kind == kind && !one.times.isEmpty {
                var findings: [MeasurementFinding] = []
                if let motion = PosedMotion(one) {
                    let origin = one.mounting?.origin
                    findings =
                        kind == .accelerometer
                        ? motion.accelerometerFindings(origin: origin)
                        : motion.gyroscopeFindings(beside: gravity, origin: origin)
                    if kind == .accelerometer, gravity == nil, findings.allSatisfy({ $0.severity == .information }) {
                        gravity = motion.means
                    }
                } else {
                    findings.append(
                        .axes, .undetermined,
                        "the axes cannot be judged: "
                            + (one.axes.count < 3 ? "it has not all three" : "the capture ended before the last pose"))
                }
                sensors[index].findings += findings
            }
        }
    }
}

/// Three values on the axes of the rig.
struct Vector {
    var values: [Double]

    static let zero = Vector(values: [0, 0, 0])

    var length: Double { values.reduce(0) { $0 + $1 * $1 }.squareRoot() }

    /// The axis with the greatest absolute value.
    var largest: Int { (0..<3).max { abs(values[$0]) < abs(values[$1]) } ?? 0 }

    /// The axis within 30° of the vector with its sign, such as "-y"; nil if none is.
    var direction: String? {
        let value = values[largest]
        guard abs(value) > 0.75.squareRoot() * length else { return nil }
        return (value < 0 ? "-" : "+") + GuidedMotion.names[largest]
    }

    /// The angle between two vectors, in radians.
    func angle(to other: Vector) -> Double {
        let product = zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 }
        return acos(min(max(product / (length * other.length), -1), 1))
    }
}

/// What a sensor delivered in the poses of a guided motion, on the axes of the rig.
private struct PosedMotion {
    /// The mean at rest in each pose.
    let means: [Vector]
    /// The integral of the values, less those of the first pose, from each pose to the next.
    let integrals: [Vector]

    /// Nil if the series lacks an axis, or ends before the last pose.
    init?(_ series: MotionSeries) {
        let columns = (0..<3).compactMap(series.values(ofRigAxis:))
        guard columns.count == 3, let first = series.times.first else { return nil }
        let seconds = series.times.map { Double($0 &- first) * 1e-9 }
        func indices(from begin: Double, to end: Double) -> [Int] {
            seconds.indices.filter { begin..<end ~= seconds[$0] }
        }
        var means: [Vector] = []
        for pose in GuidedMotion.poses {
            let rest = indices(from: pose.end - GuidedMotion.rest, to: pose.end)
            guard rest.count >= 3 else { return nil }
            means.append(
                Vector(values: columns.map { column in rest.reduce(0) { $0 + column[$1] } / Double(rest.count) }))
        }
        var integrals: [Vector] = []
        for (before, after) in zip(GuidedMotion.poses, GuidedMotion.poses.dropFirst()) {
            let turn = indices(from: before.end - GuidedMotion.rest, to: after.end - GuidedMotion.rest / 2)
            var integral = Vector.zero
            for (index, next) in zip(turn, turn.dropFirst()) where seconds[next] > seconds[index] {
                for axis in 0..<3 {
                    let value = (columns[axis][index] + columns[axis][next]) / 2 - means[0].values[axis]
                    integral.values[axis] += value * (seconds[next] - seconds[index])
                }
            }
            integrals.append(integral)
        }
        self.means = means
        self.integrals = integrals
    }

    /// The findings of an accelerometer: which axis it says is up in each pose, and how large gravity is there.
    func accelerometerFindings(origin: String?) -> [MeasurementFinding] {
        let directions = means.map(\.direction)
        let remedies = Self.remedies(origin)
        var findings: [MeasurementFinding] = []
        if Set(directions).count == 1 {
            findings.append(
                .still, .undetermined,
                "the rig was not turned: \(directions[0]?.axisWords ?? "no axis") is up in every pose",
                remedies: [.advice("measure with --move again, and follow the requests")])
            return findings
        }
        for (pose, mean) in zip(GuidedMotion.poses, means) {
            let asked = "+" + GuidedMotion.names[pose.up]
            guard let direction = mean.direction else {
                findings.append(
                    .still, .undetermined, "in the pose with \(asked) up, no axis is within 30° of the vertical",
                    remedies: [.advice("measure with --move again, and hold each pose")])
                continue
            }
            if direction != asked {
                let check: MeasurementFinding.Check = direction.last == asked.last ? .sign : .axes
                findings.append(
                    check, .bad, "in the pose with \(asked) up, the sensor reports \(direction.axisWords) up",
                    remedies: remedies)
            } else if abs(mean.length / standardGravity - 1) > 0.1 {
                findings.append(
                    .scale, .bad,
                    "in the pose with \(asked) up, gravity is \(mean.length.stated("m/s²")), more than 10 % from 9.81")
            }
        }
        if findings.isEmpty {
            findings.append(
                .axes, .information,
                "order, signs and scales of the axes are right: \(directions.compactMap(\.self).joined(separator: ", ")) were up as asked"
            )
        }
        return findings
    }

    /// The findings of a gyroscope: about which axis it says that each turn was, in which sense, and how far.
    func gyroscopeFindings(beside gravity: [Vector]?, origin: String?) -> [MeasurementFinding] {
        var findings: [MeasurementFinding] = []
        var angles: [String] = []
        for (index, integral) in integrals.enumerated() {
            let pose = GuidedMotion.poses[index + 1]
            guard let axis = pose.turnedAbout else { continue }
            let name = GuidedMotion.names[axis]
            let degrees = integral.values[integral.largest] * 180 / .pi
            let actual = gravity.map { $0[index].angle(to: $0[index + 1]) * 180 / .pi }
            if abs(degrees) < 60 {
                findings.append(
                    actual.map { $0 >= 60 } == true
                        ? MeasurementFinding(
                            .scale, .bad,
                            "during the quarter turn about \(name) the sensor reports \(abs(degrees).degrees), and gravity "
                                + "shows \((actual ?? 0).degrees)"
                        )
                        : MeasurementFinding(
                            .still, .undetermined,
                            "the turn about \(name) reached \(abs(degrees).degrees), and 60° are needed to judge the axis",
                            remedies: [.advice("measure with --move again, and turn the rig by a quarter")]))
            } else if integral.largest != axis {
                findings.append(
                    .axes, .bad,
                    "during the turn about \(name) the sensor reports a turn about "
                        + GuidedMotion.names[integral.largest],
                    remedies: Self.remedies(origin))
            } else if degrees < 0 {
                findings.append(
                    .sign, .bad, "the turn about \(name) has the wrong sense: \(degrees.degrees)",
                    remedies: Self.remedies(origin))
            } else if let actual, abs(degrees / actual - 1) > 0.1 {
                findings.append(
                    .scale, .bad,
                    "the turn about \(name) is \(degrees.degrees), more than 10 % from the \(actual.degrees) of gravity"
                )
            }
            angles.append("\(name) \(degrees.degrees)")
        }
        if findings.isEmpty {
            let by = gravity == nil ? "; their scale is not judged without an accelerometer that followed" : ""
            findings.append(
                .axes, .information, "order and signs of the axes are right: \(angles.joined(separator: ", "))\(by)")
        }
        return findings
    }

    private static func remedies(_ origin: String?) -> [Remedy] {
        [
            .advice(
                origin.map { "correct the mount matrix (\($0))" }
                    ?? "give the rig a mount matrix, by ACCEL_MOUNT_MATRIX or the device tree")
        ]
    }
}

extension Double {
    /// An angle, such as `88.3°`.
    fileprivate var degrees: String { significant(3, trimmed: true) + "°" }
}

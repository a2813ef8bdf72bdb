package import Readiness

/// Converts a sensor's raw values to those of the rig: (raw + offset) × scale, and the mount matrix.
package struct AxesConversion: Sendable {
    package struct Factor: Sendable {
        package var axis: Axis
        /// 1 for a value that is already in the unit.
        package var scale = 1.0
        package var offset = 0.0

        package init(_ axis: Axis, scale: Double = 1, offset: Double = 0) {
            self.axis = axis
            self.scale = scale
            self.offset = offset
        }
    }

    package enum Fault: Error, Equatable {
        /// Exactly 0 on all axes, which no accelerometer measures: a hub that no longer answers.
        case silent
        /// The value of an axis, by its index among the factors, is not finite after a stage, as named in reports.
        case infinite(Double, axis: Int, after: String)
    }

    private let kind: SensorKind
    package let factors: [Factor]
    package let matrix: MountMatrix?

    package init(_ kind: SensorKind, factors: [Factor], matrix: MountMatrix?) {
        self.kind = kind
        self.factors = factors
        self.matrix = matrix
    }

    /// The values of the rig's axes from the chip's, which are in the order of the factors.
    package func axes(_ raw: [Double]) throws(Fault) -> AxesReading {
        if Self.isSilent(raw, kind) { throw .silent }
        let values = zip(factors, raw).map { ($1 + $0.offset) * $0.scale }
        if let bad = values.firstIndex(where: { !$0.isFinite }) {
            throw .infinite(values[bad], axis: bad, after: "offset and scale")
        }
        if Self.isSilent(values, kind) { throw .silent }
        let chip = AxesReading(values, of: factors.map(\.axis), unit: AxesReading.Unit(of: kind))
        guard let matrix else { return chip }
        let turned = matrix.applied(to: chip)
        if let bad = [turned.x, turned.y, turned.z].compactMap(\.self).first(where: { !$0.isFinite }) {
            throw .infinite(bad, axis: 0, after: "the mount matrix")
        }
        return turned
    }

    /// Whether the values of all axes are those of an accelerometer that no longer answers.
    static func isSilent(_ values: [Double], _ kind: SensorKind) -> Bool {
        kind == .accelerometer && values.count >= 3 && values.allSatisfy { $0 == 0 }
    }
}

extension AxesReading {
    init(_ values: [Double], of axes: [Axis], unit: Unit) {
        func value(_ axis: Axis) -> Double? { zip(axes, values).first { $0.0 == axis }?.1 }
        self.init(x: value(.x), y: value(.y), z: value(.z), unit: unit)
    }
}

extension AttributeReader {
    /// The mount matrix that applies to a sensor, as read, with its name; nil if there is none.
    package func mountMatrix(for plan: SensorPlan) -> (place: String, bytes: [UInt8])? {
        if let above = overridingMatrix(for: plan.kind) { return above }
        guard let own = plan.matrix, let bytes = try? read(own) else { return nil }
        return (place(of: own), bytes)
    }
}

/// How a sensor is mounted: the matrix that rotates its axes into those of the rig.
///
/// Shape: three rows of three numbers, `0, 1, 0; -1, 0, 0; 0, 0, 1`. Source: kernel ABI `sysfs-bus-iio`,
/// `in_mount_matrix`; udev's hardware database, `ACCEL_MOUNT_MATRIX`.
package struct MountMatrix: Sendable, Equatable {
    /// The nine numbers, row by row.
    package let rows: [Double]

    /// Parses a matrix; nil unless it is nine numbers that rotate without flattening, shearing or scaling.
    ///
    /// A rotation has no number beyond 1, rows of length 1 and determinant 1 or -1; rounded numbers such as `0.7`, and
    /// approximations such as `1, 1, 0` for an eighth of a turn, are accepted.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= 512 else { return nil }
        let cells = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { row in
            row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }
        guard cells.count == 3, cells.allSatisfy({ $0.count == 3 }) else { return nil }
        let m = cells.joined().compactMap { cell in
            AttributeValue(Array(cell.drop { $0 == UInt8(ascii: " ") }))?.number
        }
        guard m.count == 9, m.allSatisfy({ abs($0) <= 1.01 }) else { return nil }
        let determinant =
            m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])
        guard 0.5...2.1 ~= abs(determinant) else { return nil }
        for row in 0..<3 {
            let square = m[row * 3..<row * 3 + 3].reduce(0.0) { $0 + $1 * $1 }
            guard 0.4...2.1 ~= square else { return nil }
        }
        rows = m
    }

    /// The sample in the rig's axes; an axis that would need a missing one is nil.
    package func applied(to sample: AxesReading) -> AxesReading {
        let from = [sample.x, sample.y, sample.z]
        func turned(_ row: Int) -> Double? {
            var sum = 0.0
            for column in 0..<3 where rows[row * 3 + column] != 0 {
                guard let value = from[column] else { return nil }
                sum += rows[row * 3 + column] * value
            }
            return sum
        }
        return AxesReading(x: turned(0), y: turned(1), z: turned(2), unit: sample.unit)
    }
}

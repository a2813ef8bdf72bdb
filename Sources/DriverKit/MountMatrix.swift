package import Readiness

/// How a sensor is mounted: the matrix that rotates its axes into those of the rig.
///
/// Shape: three rows of three numbers, `0, 1, 0; -1, 0, 0; 0, 0, 1`. Source: kernel ABI `sysfs-bus-iio`,
/// `in_mount_matrix`; udev's hardware database, `ACCEL_MOUNT_MATRIX`.
package struct MountMatrix: Sendable, Equatable {
    /// The nine numbers, row by row.
    package let rows: [Double]
    /// Whether the determinant is -1, as of no rotation: the hand of the axes changes.
    package let isMirroring: Bool

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
        isMirroring = determinant < 0
    }

    /// The remark about a matrix that is no rotation.
    package static let invalid = "its mount matrix is invalid, so the axes are the chip's own"

    /// The notice about a matrix that mirrors; nil for a rotation.
    package func notice(of sensor: Sensor) -> Notice? {
        guard isMirroring else { return nil }
        return Notice(
            .mirroredMatrix, sensor: sensor.key,
            detail: "\(sensor.name): the mount matrix mirrors the axes (determinant -1), which no mounting does")
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

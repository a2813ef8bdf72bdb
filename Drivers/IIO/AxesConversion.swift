package import DriverKit
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

    /// The values along the chip's axes in the unit.
    func values(_ raw: [Double]) -> [Double] { zip(factors, raw).map { ($1 + $0.offset) * $0.scale } }

    /// The values of the rig's axes from the chip's, which are in the order of the factors.
    package func axes(_ raw: [Double]) throws(Fault) -> AxesReading {
        if Self.isSilent(raw, kind) { throw .silent }
        let values = values(raw)
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

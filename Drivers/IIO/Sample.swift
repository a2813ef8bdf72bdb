package import DriverKit
package import Readiness
internal import SystemPackage

package struct Sample {
    package var availability: Availability = .available
    package var reading: Reading?
    var isCaptured = false
    package var remarks: [String] = []
    var evidence: [Evidence] = []
    var attribute: String?
    package var refusal: DriverError?

    var isDenied: Bool { refusal?.isDenied == true }
}

extension Sample {
    /// Asks a sensor: each attribute that decides is read exactly once, the values first; the frequency may be known.
    package init(
        _ plan: SensorPlan, from reader: some AttributeReader, knownFrequency: Result<[UInt8], DriverError>? = nil
    ) {
        var sampling = Sampling(plan: plan, reader: reader)
        if let attribute = plan.frequency { sampling.known[attribute] = knownFrequency }
        if plan.kind == .stepCounter { sampling.readSteps() } else { sampling.readAxes() }
        // Only if the values were read: a hub that hangs would hang here too.
        if sampling.sample.availability == .available, let attribute = plan.frequency,
            case .success(let bytes) = sampling.read(attribute), let frequency = SamplingFrequency(bytes)
        {
            sampling.sample.remarks.append(frequency.clause)
        }
        self = sampling.sample
    }
}

private struct Sampling<Reader: AttributeReader> {
    let plan: SensorPlan
    let reader: Reader
    var known: [String: Result<[UInt8], DriverError>] = [:]
    var sample = Sample()

    mutating func read(_ attribute: String) -> Result<[UInt8], DriverError> {
        if let known = known[attribute] { return known }
        let answer = reader.answer(attribute)
        known[attribute] = answer
        return answer
    }

    private mutating func remark(_ words: String, _ attribute: String, errno: Errno? = nil, said: String) {
        sample.remarks.append(words)
        sample.evidence.append(Evidence(path: reader.place(of: attribute), errno: errno?.name, said: said))
    }

    private mutating func end(_ cause: Cause, _ attribute: String) {
        sample.availability = .unavailable(cause)
        sample.attribute = attribute
    }

    private mutating func refuse(_ error: DriverError, _ attribute: String) {
        sample.attribute = attribute
        var words = "somebody else captures from it, so nothing was read"
        if error.errno == .resourceBusy && reader.isCaptured() {
            sample.isCaptured = true
        } else {
            sample.availability = error.availability
            sample.refusal = error
            let isGone = error.availability == .unavailable(.absent)
            words = "\(isGone ? "gone since it was listed: " : "")\(attribute): \(error.reason)"
        }
        remark(words, attribute, errno: error.errno, said: error.reason)
    }

    private mutating func fault(_ words: String, _ attribute: String, _ bytes: [UInt8]) {
        end(.faulty, attribute)
        remark("\(attribute) \(words)", attribute, said: "read \(quoted(bytes))")
    }

    // MARK: Accelerometer and gyroscope

    mutating func readAxes() {
        var raw: [Double] = []
        for axis in plan.axes {
            switch read(axis.value) {
            case .failure(let error): return refuse(error, axis.value)
            case .success(let bytes):
                guard let value = AttributeValue(bytes) else { return fault("is not a number", axis.value, bytes) }
                guard value.number.isFinite else { return fault("is not finite", axis.value, bytes) }
                if !axis.isProcessed, let format = reader.format(of: axis.value), !format.holds(value.number) {
                    let sign = format.isSigned ? "signed" : "unsigned"
                    return fault("is outside its \(format.bits) \(sign) bits", axis.value, bytes)
                }
                raw.append(value.number)
            }
        }
        // A hub that no longer answers returns zeros with success; then the scale is not read.
        if AxesConversion.isSilent(raw, plan.kind) { return fallSilent() }
        guard let factors = factors() else {
            return sample.reading = .axes(AxesReading(raw, of: plan.axes.map(\.axis), unit: .raw))
        }
        let conversion = AxesConversion(plan.kind, factors: factors, matrix: matrix())
        do throws(AxesConversion.Fault) {
            sample.reading = .axes(try conversion.axes(raw))
        } catch {
            switch error {
            case .silent: fallSilent()
            case .infinite(let value, let axis, let stage):
                let name = plan.axes[axis].value
                end(.faulty, name)
                remark(
                    "\(name) is not finite after \(stage)", name,
                    said: "\(raw[axis]) becomes \(value) by \(stage)")
            }
        }
    }

    private mutating func fallSilent() {
        end(.silent, plan.first)
        sample.remarks.append("exactly 0 on all \(plan.axes.count) axes: no accelerometer measures that")
        sample.evidence += plan.axes.map { Evidence(path: reader.place(of: $0.value), said: "read \"0\"") }
    }

    /// The factors from raw values to the unit; nil if unknown, which is no fault.
    private mutating func factors() -> [AxesConversion.Factor]? {
        var factors: [AxesConversion.Factor] = []
        for axis in plan.axes {
            if axis.isProcessed {
                factors.append(.init(axis.axis))
                continue
            }
            guard let attribute = axis.scale else {
                sample.remarks.append("its driver gives no scale, so the value is raw")
                return nil
            }
            guard let scale = factor(attribute) else { return nil }
            guard scale != 0 else {
                sample.remarks.append("\(attribute) is 0, so the value is raw")
                return nil
            }
            guard let offset = axis.offset.map({ factor($0) }) ?? 0 else { return nil }
            factors.append(.init(axis.axis, scale: scale, offset: offset))
        }
        return factors
    }

    private mutating func factor(_ attribute: String) -> Double? {
        switch read(attribute) {
        case .failure(let error):
            remark(
                "\(attribute) cannot be read, so the value is raw: \(error.reason)", attribute, errno: error.errno,
                said: error.reason)
        case .success(let bytes):
            if let value = AttributeValue(bytes), value.number.isFinite { return value.number }
            remark("\(attribute) is not a number, so the value is raw", attribute, said: "read \(quoted(bytes))")
        }
        return nil
    }

    private mutating func matrix() -> MountMatrix? {
        guard let (place, bytes) = reader.mountMatrix(for: plan) else { return nil }
        if let matrix = MountMatrix(bytes) { return matrix }
        sample.remarks.append("its mount matrix is invalid, so the axes are the chip's own")
        sample.evidence.append(Evidence(path: place, said: "read \(quoted(bytes))"))
        return nil
    }

    // MARK: Step counter

    mutating func readSteps() {
        if let enable = plan.enable, case .success(let bytes) = read(enable), AttributeValue(bytes)?.number == 0 {
            end(.poweredOff, enable)
            return remark("\(enable) is 0", enable, said: "read \(quoted(bytes))")
        }
        switch read(plan.first) {
        case .failure(let error): refuse(error, plan.first)
        case .success(let bytes):
            guard let value = AttributeValue(bytes) else { return fault("is not a number", plan.first, bytes) }
            guard let steps = UInt64(value.text) else { return fault("is not a count", plan.first, bytes) }
            sample.reading = .steps(steps)
        }
    }
}

extension Finding {
    /// A sensor with its sample; `place` is where the commands that fix it are typed.
    init(_ sample: Sample, of listed: Sensor, at place: DeviceHost) {
        var sensor = listed
        sensor.availability = sample.availability
        sensor.reading = sample.reading
        if !sample.remarks.isEmpty {
            sensor.detail = (sample.remarks + [sensor.detail].compactMap(\.self)).joined(separator: "; ")
        }
        sensor.evidence += sample.evidence
        for index in sensor.evidence.indices { sensor.evidence[index].sensor = sensor.key }
        if sample.isDenied {
            sensor.access = .denied
            sensor.isValueDenied = true
            sensor.accessEvidence = sample.evidence.last ?? listed.accessEvidence
            let value = sample.attribute.flatMap(place.accessRemedies)
            // A node that is denied too keeps its remedy, after that of the value.
            let remedies = (value ?? []) + listed.accessRemedies.filter { value?.contains($0) != true }
            sensor.accessRemedies = remedies.isEmpty ? [.option(.asRoot)] : remedies
        }
        if sample.availability != .available { sensor.remedies = place.remedies(for: sample, of: sensor) }
        var notices: [Notice] = []
        if sample.isCaptured {
            notices.append(
                Notice(.inUse, sensor: sensor.key, detail: "\(sensor.name) is in use: another program captures from it")
            )
        }
        self.init(sensor, notices: notices)
    }
}

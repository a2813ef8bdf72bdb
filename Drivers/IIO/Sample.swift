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
    /// Why the values cannot be true.
    var fault: MotionPlausibility.Implausibility?
    /// What is improbable in the values, in one clause.
    var doubtWords: String?
    /// The mount matrix that was applied.
    var matrix: MountMatrix?

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
        if sampling.sample.availability == .available { sampling.readCalibration() }
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
        var words = "another program captures from the sensor, so it was not read"
        if error.errno == .resourceBusy && reader.isCaptured() {
            sample.isCaptured = true
        } else {
            let isListed = error.mayBeGone ? reader.isListed(with: attribute) : nil
            sample.availability = error.availability(isListed: isListed)
            sample.refusal = error
            let isGone = sample.availability == .unavailable(.absent)
            let beginning = isGone ? "gone since it was listed: " : error.isBusSilence ? "no answer on its bus: " : ""
            words = "\(beginning)\(attribute): \(error.reason)"
        }
        remark(words, attribute, errno: error.errno, said: error.reason)
    }

    private mutating func fault(_ words: String, _ attribute: String, _ bytes: [UInt8]) {
        end(.faulty, attribute)
        remark("\(attribute) \(words)", attribute, said: "read \(quoted(bytes))")
    }

    // MARK: Accelerometer and gyroscope

    mutating func readAxes() {
        var counts: [MotionPlausibility.AxisCount] = []
        var texts: [String] = []
        for axis in plan.axes {
            switch read(axis.value) {
            case .failure(let error): return refuse(error, axis.value)
            case .success(let bytes):
                guard let value = AttributeValue(bytes) else { return fault("is not a number", axis.value, bytes) }
                guard value.number.isFinite else { return fault("is not finite", axis.value, bytes) }
                let format = axis.isProcessed ? nil : reader.format(of: axis.value)
                if let format, !format.holds(value.number) {
                    return fault(format.rejection(of: value), axis.value, bytes)
                }
                counts.append(.init(value.number, limits: format?.range))
                texts.append(value.text)
            }
        }
        // A hub that no longer answers returns zeros with success; then the scale is not read.
        let raw = counts.map(\.value)
        if AxesConversion.isSilent(raw, plan.kind) { return fallSilent() }
        guard let factors = factors() else {
            guard isPlausible(counts, texts) else { return }
            return sample.reading = .axes(AxesReading(raw, of: plan.axes.map(\.axis), unit: .raw))
        }
        let conversion = AxesConversion(plan.kind, factors: factors, matrix: matrix())
        do throws(AxesConversion.Fault) {
            let axes = try conversion.axes(raw)
            guard isPlausible(counts, texts, conversion) else { return }
            (sample.reading, sample.matrix) = (.axes(axes), conversion.matrix)
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

    /// Whether the values can be true; notes the fault if they cannot, and the doubt if they may not be.
    private mutating func isPlausible(
        _ counts: [MotionPlausibility.AxisCount], _ texts: [String], _ conversion: AxesConversion? = nil
    ) -> Bool {
        var counts = counts
        for (index, factor) in (conversion?.factors ?? []).enumerated() { counts[index].hasOffset = factor.offset != 0 }
        let isRaw = plan.axes.allSatisfy { !$0.isProcessed }
        let check = MotionPlausibility(
            plan.kind, names: plan.axes.map(\.axis.rawValue), counts: isRaw ? counts : nil,
            values: conversion?.values(counts.map(\.value)))
        switch check.verdict(range: { range(counts, conversion?.factors) }) {
        case .plausible: return true
        case .doubtful(_, _, let words):
            sample.doubtWords = words
            return true
        case .impossible(let reason, let axis, let words):
            let concerned = reason == .allOnes || reason == .atEnds ? Array(plan.axes.indices) : [axis]
            sample.fault = reason
            end(.faulty, plan.axes[axis].value)
            sample.remarks.append(words)
            sample.evidence += concerned.map { index in
                Evidence(path: reader.place(of: plan.axes[index].value), said: "read \(quoted(texts[index].utf8))")
            }
            return false
        }
    }

    /// The most that the chip measures in SI units, at the largest scale that its driver lists; nil if it lists none.
    ///
    /// A format that is unknown is taken for 16 bits if the values fit.
    private mutating func range(
        _ counts: [MotionPlausibility.AxisCount], _ factors: [AxesConversion.Factor]?
    ) -> Double? {
        guard let factors, let list = plan.scaleList, case .success(let bytes) = read(list) else { return nil }
        let words = bytes.split { [9, 10, 32, UInt8(ascii: "["), UInt8(ascii: "]")].contains($0) }
        guard let scale = words.compactMap({ AttributeValue(Array($0))?.number }).filter(\.isFinite).max(), scale > 0
        else { return nil }
        let ranges = zip(counts, factors).map { count, factor -> Double in
            let limits = count.limits ?? (abs(count.value) <= 32768 ? -32768...32767 : -.infinity ... .infinity)
            return (max(abs(limits.lowerBound), abs(limits.upperBound)) + abs(factor.offset)) * scale
        }
        return ranges.max()
    }

    mutating func readCalibration() {
        guard let attribute = plan.calibration, case .success(let bytes) = read(attribute),
            AttributeValue(bytes)?.number == 0
        else { return }
        remark("its driver reports it as not calibrated (\(attribute) is 0)", attribute, said: "read \(quoted(bytes))")
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
        sample.remarks.append(MountMatrix.invalid)
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
            sensor.accessEvidence = sensor.evidence.last ?? listed.accessEvidence
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
        if let words = sample.doubtWords {
            notices.append(Notice(.implausibleValue, sensor: sensor.key, detail: "\(sensor.name): \(words)"))
        }
        if let mirrored = sample.matrix?.notice(of: sensor) { notices.append(mirrored) }
        self.init(sensor, notices: notices)
    }
}

package import DriverKit
package import Readiness
internal import SystemPackage

/// The result of asking one sensor.
package struct Sample {
    package var availability: Availability = .available
    package var reading: Reading?
    var isCaptured = false
    /// Additional remarks, as clauses.
    package var remarks: [String] = []
    var evidence: [Evidence] = []
    /// The attribute that could not be read.
    var attribute: String?
    /// Why that attribute was not read.
    package var refusal: DriverError?

    /// Whether the operating system denied this user the value.
    var isDenied: Bool { refusal?.isDenied == true }

    /// Asks a sensor: each attribute that decides is read exactly once, the values first; the frequency may be known.
    package init(
        _ plan: SensorPlan, from reader: some AttributeReader, knownFrequency: Result<[UInt8], DriverError>? = nil
    ) {
        var cache: [String: Result<[UInt8], DriverError>] = [:]
        if let attribute = plan.frequency { cache[attribute] = knownFrequency }
        func read(_ attribute: String) -> Result<[UInt8], DriverError> {
            if let known = cache[attribute] { return known }
            let answer = reader.answer(attribute)
            cache[attribute] = answer
            return answer
        }
        if plan.kind == .stepCounter {
            count(plan, reader, read)
        } else {
            axes(plan, reader, read)
        }
        // Only if the values were read: a hub that hangs would hang here too.
        if availability == .available, let attribute = plan.frequency, case .success(let bytes) = read(attribute),
            let frequency = SamplingFrequency(bytes)
        {
            remarks.append(frequency.clause)
        }
    }

    private mutating func refuse(_ error: DriverError, _ attribute: String, _ reader: some AttributeReader) {
        self.attribute = attribute
        if error.errno == .resourceBusy && reader.isCaptured() {
            isCaptured = true
            remarks.append("somebody else captures from it, so nothing was read")
        } else {
            availability = error.availability
            refusal = error
            let whole = "\(attribute): \(error.reason)"
            remarks.append(availability == .unavailable(.absent) ? "gone since it was listed: \(whole)" : whole)
        }
        evidence.append(Evidence(path: reader.place(of: attribute), errno: error.errno?.name, said: error.reason))
    }

    private mutating func fault(_ words: String, _ attribute: String, _ bytes: [UInt8], _ reader: some AttributeReader)
    {
        self.attribute = attribute
        availability = .unavailable(.faulty)
        remarks.append("\(attribute) \(words)")
        evidence.append(Evidence(path: reader.place(of: attribute), said: "read \(quoted(bytes))"))
    }

    // MARK: Accelerometer and gyroscope

    private mutating func axes(
        _ plan: SensorPlan, _ reader: some AttributeReader, _ read: (String) -> Result<[UInt8], DriverError>
    ) {
        var raw: [Double] = []
        for axis in plan.axes {
            switch read(axis.value) {
            case .failure(let error): return refuse(error, axis.value, reader)
            case .success(let bytes):
                guard let value = AttributeValue(bytes) else {
                    return fault("is not a number", axis.value, bytes, reader)
                }
                guard value.number.isFinite else { return fault("is not finite", axis.value, bytes, reader) }
                if !axis.isProcessed, let format = reader.format(of: axis.value), !format.holds(value.number) {
                    let sign = format.isSigned ? "signed" : "unsigned"
                    return fault("is outside its \(format.bits) \(sign) bits", axis.value, bytes, reader)
                }
                raw.append(value.number)
            }
        }
        // A hub that no longer answers returns zeros with success; then the scale is not read.
        if AxesConversion.isSilent(raw, plan.kind) { return fallSilent(plan, reader) }
        guard let factors = factors(plan, reader, read) else {
            return reading = .axes(AxesReading(raw, of: plan.axes.map(\.axis), unit: .raw))
        }
        let conversion = AxesConversion(plan.kind, factors: factors, matrix: matrix(plan, reader))
        do throws(AxesConversion.Fault) {
            reading = .axes(try conversion.axes(raw))
        } catch {
            switch error {
            case .silent: fallSilent(plan, reader)
            case .infinite(let value, let axis, let stage):
                let name = plan.axes[axis].value
                attribute = name
                availability = .unavailable(.faulty)
                remarks.append("\(name) is not finite after \(stage.rawValue)")
                evidence.append(
                    Evidence(path: reader.place(of: name), said: "\(raw[axis]) becomes \(value) by \(stage.rawValue)"))
            }
        }
    }

    private mutating func fallSilent(_ plan: SensorPlan, _ reader: some AttributeReader) {
        attribute = plan.first
        availability = .unavailable(.silent)
        remarks.append("exactly 0 on all \(plan.axes.count) axes: no accelerometer measures that")
        evidence += plan.axes.map { Evidence(path: reader.place(of: $0.value), said: "read \"0\"") }
    }

    /// The factors from raw values to the unit; nil if unknown, which is no fault.
    private mutating func factors(
        _ plan: SensorPlan, _ reader: some AttributeReader, _ read: (String) -> Result<[UInt8], DriverError>
    ) -> [AxesConversion.Factor]? {
        var factors: [AxesConversion.Factor] = []
        for axis in plan.axes {
            if axis.isProcessed {
                factors.append(.init(axis.axis))
                continue
            }
            guard let attribute = axis.scale else {
                remarks.append("its driver gives no scale, so the value is raw")
                return nil
            }
            guard let scale = factor(attribute, reader, read) else { return nil }
            guard scale != 0 else {
                remarks.append("\(attribute) is 0, so the value is raw")
                return nil
            }
            var offset = 0.0
            if let attribute = axis.offset {
                guard let known = factor(attribute, reader, read) else { return nil }
                offset = known
            }
            factors.append(.init(axis.axis, scale: scale, offset: offset))
        }
        return factors
    }

    private mutating func factor(
        _ attribute: String, _ reader: some AttributeReader, _ read: (String) -> Result<[UInt8], DriverError>
    ) -> Double? {
        switch read(attribute) {
        case .failure(let error):
            remarks.append("\(attribute) cannot be read, so the value is raw: \(error.reason)")
            evidence.append(Evidence(path: reader.place(of: attribute), errno: error.errno?.name, said: error.reason))
        case .success(let bytes):
            if let value = AttributeValue(bytes), value.number.isFinite { return value.number }
            remarks.append("\(attribute) is not a number, so the value is raw")
            evidence.append(Evidence(path: reader.place(of: attribute), said: "read \(quoted(bytes))"))
        }
        return nil
    }

    private mutating func matrix(_ plan: SensorPlan, _ reader: some AttributeReader) -> MountMatrix? {
        guard let (place, bytes) = reader.mountMatrix(for: plan) else { return nil }
        if let matrix = MountMatrix(bytes) { return matrix }
        remarks.append("its mount matrix is invalid, so the axes are the chip's own")
        evidence.append(Evidence(path: place, said: "read \(quoted(bytes))"))
        return nil
    }

    // MARK: Step counter

    private mutating func count(
        _ plan: SensorPlan, _ reader: some AttributeReader, _ read: (String) -> Result<[UInt8], DriverError>
    ) {
        if let enable = plan.enable, case .success(let bytes) = read(enable), AttributeValue(bytes)?.number == 0 {
            attribute = enable
            availability = .unavailable(.poweredOff)
            remarks.append("\(enable) is 0")
            evidence.append(Evidence(path: reader.place(of: enable), said: "read \(quoted(bytes))"))
            return
        }
        let attribute = plan.first
        switch read(attribute) {
        case .failure(let error): refuse(error, attribute, reader)
        case .success(let bytes):
            guard let value = AttributeValue(bytes) else { return fault("is not a number", attribute, bytes, reader) }
            guard let steps = UInt64(value.text) else { return fault("is not a count", attribute, bytes, reader) }
            reading = .steps(steps)
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
        sensor.evidence += sample.evidence.map { evidence in
            var evidence = evidence
            evidence.sensor = sensor.key
            return evidence
        }
        if sample.isDenied {
            sensor.access = .denied
            sensor.isValueDenied = true
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

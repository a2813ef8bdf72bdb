internal import Glibc
internal import Measurement
internal import Readiness

extension Chart {
    private static let axes = ["x", "y", "z"]
    private static let styles = ["x", "y dash", "z dot"]
    private static let left = 54.0
    private static let plotWidth = 290.0
    private static let width = 352.0

    static func motionCharts(
        of series: MotionSeries, _ measurement: SensorMeasurement, _ figures: MotionFigures
    ) -> (charts: [Chart], notes: [String]) {
        let columns = (0..<3).compactMap { axis in
            series.values(ofRigAxis: axis).map { (axis: axis, values: $0.map(\.drawable)) }
        }
        guard series.times.count > 1, !columns.isEmpty else { return ([], []) }
        var charts = [
            timeSeries(series, columns, measurement, figures),
            histograms(series, columns, figures),
        ]
        var notes: [String] = []
        if let rate = measurement.rate?.value, rate > 0, series.method == .buffer {
            if let chart = spectrum(columns, measurement, figures, rate: rate) { charts.append(chart) }
        }
        if let allan = figures.allan {
            charts.append(allanDeviation(allan, series))
        } else if series.method == .buffer {
            notes.append("The Allan deviation takes 60 s at rest without gaps.")
        }
        return (charts, notes)
    }

    /// A plot of each axis under one another over the time since the first sample.
    private static func timeSeries(
        _ series: MotionSeries, _ columns: [(axis: Int, values: [Double])], _ measurement: SensorMeasurement,
        _ figures: MotionFigures
    ) -> Chart {
        let order = series.times.indices.sorted { (series.times[$0], $0) < (series.times[$1], $1) }
        let first = series.times[order[0]]
        func seconds(_ index: Int) -> Double { Double(series.times[index] &- first) * 1e-9 }
        let places = order.map(seconds)
        let x = Scale(from: 0, to: places.last ?? 0)
        let gaps = measurement.gaps ?? []
        let afterGap = Set(gaps.compactMap(\.index))
        let breaks = Set(order.indices.filter { afterGap.contains(order[$0]) })
        let unit = PrefixedUnit(series.kind.unit, for: columns.flatMap(\.values) + [figures.step ?? 0])
        let height = 92.0
        var drawing = Drawing(width: width, height: Double(columns.count) * (height + 24) + 26)
        for (row, column) in columns.enumerated() {
            let values = order.map { column.values[$0] }
            let plot = Plot(
                corner: Drawing.Point(left, 18 + Double(row) * (height + 24)), width: plotWidth, height: height, x: x,
                y: Scale(values, in: unit, least: 4 * (figures.step ?? 0)))
            let isLast = row == columns.count - 1
            plot.frame(
                in: &drawing, title: "\(axes[column.axis]) in \(unit.name)",
                xUnit: isLast ? "seconds" : nil)
            for gap in gaps.prefix(SampleGap.listLimit) {
                let end = gap.index.map(seconds) ?? (places.last ?? 0) + gap.seconds
                plot.shade(from: end - gap.seconds, to: end, in: &drawing, "gap")
            }
            for fault in figures.stuckAxes where series.weight(of: fault.axis, on: column.axis) != 0 {
                let last = min(fault.index + fault.count, series.times.count) - 1
                plot.shade(from: seconds(fault.index), to: seconds(last), in: &drawing, "fault")
            }
            plot.curve(places, values, breaks: breaks, in: &drawing, axes[column.axis])
            for index in (measurement.outOfOrder ?? []).prefix(SampleGap.listLimit) {
                plot.shade(from: seconds(index), to: seconds(index), in: &drawing, "mark")
            }
            for fault in figures.clippedAxes where series.weight(of: fault.axis, on: column.axis) != 0 {
                drawing.circle(plot.point(seconds(fault.index), column.values[fault.index]), radius: 4, "mark")
            }
        }
        var caption = "Each axis of the rig over the time since the first sample"
        if !gaps.isEmpty { caption += "; gaps are shaded" }
        if !figures.stuckAxes.isEmpty { caption += "; equal counts are in a dashed frame" }
        if measurement.outOfOrder?.isEmpty == false { caption += "; a thick line marks a sample out of order" }
        if !figures.clippedAxes.isEmpty { caption += "; a circle marks the first clipped sample" }
        return Chart(name: "time", title: "Time series", caption: caption + ".", drawing: drawing)
    }

    /// How often each value came, beside the normal curve of the same mean and standard deviation.
    private static func histograms(
        _ series: MotionSeries, _ columns: [(axis: Int, values: [Double])], _ figures: MotionFigures
    ) -> Chart {
        let unit = PrefixedUnit(series.kind.unit, for: columns.flatMap(\.values) + [figures.step ?? 0])
        let height = 80.0
        var drawing = Drawing(width: width, height: Double(columns.count) * (height + 42) + 6)
        for (row, column) in columns.enumerated() {
            let step = series.step(onRigAxis: column.axis, atLeast: figures.step ?? 0)
            let histogram = Histogram(column.values, step: step)
            let mean = figures.mean.all[column.axis]?.value
            let deviation = figures.standardDeviation.all[column.axis]?.value ?? 0
            var normal: [(Double, Double)] = []
            if let mean, deviation > 0, deviation.isFinite, mean.isFinite {
                let scale = Double(column.values.count) * histogram.width / (deviation * (2 * Double.pi).squareRoot())
                normal = (0...80).map { place in
                    let value = histogram.low + (histogram.high - histogram.low) * Double(place) / 80
                    let distance = (value - mean) / deviation
                    return (value, scale * exp(-distance * distance / 2))
                }
            }
            let x = Scale([histogram.low, histogram.high], in: unit)
            let plot = Plot(
                corner: Drawing.Point(left, 18 + Double(row) * (height + 42)), width: plotWidth, height: height, x: x,
                y: Scale(from: 0, to: max(Double(histogram.counts.max() ?? 1), normal.map(\.1).max() ?? 0) * 1.08))
            plot.frame(
                in: &drawing, title: "\(axes[column.axis]): samples by value in \(unit.name)",
                xUnit: "",
                xTicks: 4)
            for (bin, count) in histogram.counts.enumerated() where count > 0 {
                let from = plot.point(histogram.low + Double(bin) * histogram.width, Double(count))
                let to = plot.point(histogram.low + Double(bin + 1) * histogram.width, 0)
                drawing.box(from, width: max(to.x - from.x - 0.5, 0.5), height: to.y - from.y, "bar")
            }
            drawing.lines(normal.map { plot.point($0.0, $0.1) }, "normal")
        }
        return Chart(
            name: "histogram", title: "Histogram",
            caption: "Samples by value; dashed is the normal curve of the same mean and standard deviation.",
            drawing: drawing)
    }

    /// The amplitude density over the frequency, of the longest stretch without a gap.
    private static func spectrum(
        _ columns: [(axis: Int, values: [Double])], _ measurement: SensorMeasurement, _ figures: MotionFigures,
        rate: Double
    ) -> Chart? {
        let breaks =
            ([0, columns[0].values.count] + (measurement.gaps ?? []).compactMap(\.index)
            + (measurement.outOfOrder ?? [])).sorted()
        let stretch = zip(breaks, breaks.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 } ?? (0, 0)
        var spectra: [(axis: Int, spectrum: SpectralDensity)] = []
        for column in columns {
            guard let spectrum = SpectralDensity(Array(column.values[stretch.0..<stretch.1]), rate: rate) else {
                return nil
            }
            if spectrum.densities.contains(where: { $0 > 0 }) { spectra.append((column.axis, spectrum)) }
        }
        guard !spectra.isEmpty else { return nil }
        let unit = "\(measurement.kind.unit)/√Hz"
        // The spectrum counts positive frequencies alone.
        let levels = spectra.compactMap { axis, _ in
            figures.noiseDensity.all[axis].map { (axis: axis, level: $0.value * 2.0.squareRoot()) }
        }
        let chart = logarithmic(
            spectra.map { ($0.axis, Array(zip($0.spectrum.frequencies, $0.spectrum.densities))) },
            levels: levels, title: "Amplitude density in \(unit)", xUnit: "Hz")
        var caption = "Noise by frequency. White noise is a flat line; a peak is a vibration or interference."
        if !levels.isEmpty {
            caption +=
                " The horizontal lines are the noise densities times √2: like data sheets, a spectrum has only positive "
                + "frequencies."
        }
        return Chart(name: "spectrum", title: "Spectrum", caption: caption, drawing: chart)
    }

    private static func allanDeviation(_ allan: AllanDeviation, _ series: MotionSeries) -> Chart {
        let axes = allan.all.enumerated().filter { !$0.element.isEmpty }
        let drawing = logarithmic(
            axes.map { axis, deviations in (axis, Array(zip(allan.taus, deviations.map(\.value)))) },
            bars: axes.flatMap { axis, deviations in
                zip(allan.taus, deviations).map { tau, deviation in
                    // A logarithmic scale has no zero.
                    let low = max(deviation.value - deviation.uncertainty, deviation.value / 10)
                    return (axis, tau, low, deviation.value + deviation.uncertainty)
                }
            }, title: "Allan deviation in \(series.kind.unit)", xUnit: "averaging time in seconds")
        return Chart(
            name: "allan", title: "Allan deviation",
            caption: "White noise falls with slope −½; its density is the value at 1 s. The flat part is the bias "
                + "instability. The bars are 95 % confidence intervals.", drawing: drawing)
    }

    /// Lines of the axes in one plot with logarithmic scales, with level lines and bars of uncertainty.
    private static func logarithmic(
        _ lines: [(axis: Int, points: [(Double, Double)])], levels: [(axis: Int, level: Double)] = [],
        bars: [(axis: Int, x: Double, low: Double, high: Double)] = [], title: String, xUnit: String
    ) -> Drawing {
        var drawing = Drawing(width: width, height: 248)
        let points = lines.map { (axis: $0.axis, points: $0.points.filter { $0.0 > 0 && $0.1 > 0 }) }
        let plot = Plot(
            corner: Drawing.Point(left, 18), width: plotWidth, height: 196,
            x: Scale(logarithmic: points.flatMap { $0.points.map(\.0) }),
            y: Scale(
                logarithmic: points.flatMap { $0.points.map(\.1) } + levels.map(\.level)
                    + bars.flatMap { [$0.low, $0.high] }))
        plot.frame(in: &drawing, title: title, xUnit: xUnit, yTicks: 5)
        for bar in bars where bar.low > 0 {
            drawing.lines([plot.point(bar.x, bar.low), plot.point(bar.x, bar.high)], "\(axes[bar.axis]) bar-line")
        }
        for level in levels where level.level > 0 {
            let ends = [plot.x.low, plot.x.high].map { plot.point($0, level.level) }
            drawing.lines(ends, "\(axes[level.axis]) level")
        }
        for line in points {
            drawing.lines(line.points.map { plot.point($0.0, $0.1) }, styles[line.axis])
            let place = Drawing.Point(left + 10 + Double(line.axis) * 44, 30)
            drawing.lines([place, Drawing.Point(place.x + 20, place.y)], styles[line.axis])
            drawing.text(axes[line.axis], Drawing.Point(place.x + 24, place.y + 4))
        }
        return drawing
    }
}

/// How many values are in each of at most 48 equal bins.
struct Histogram {
    let low, high, width: Double
    private(set) var counts: [Int]

    /// Counts values; a bin is as wide as a whole number of steps of the format.
    init(_ values: [Double], step: Double?) {
        let least = values.min() ?? 0
        let greatest = values.max() ?? 0
        let step =
            step.flatMap { $0 > 1e-12 && $0 < 1e15 ? $0 : nil }
            ?? max((greatest - least) / 40, abs(least) * 1e-9, 1e-12)
        let steps = max(((greatest - least) / step).rounded(), 0) + 1
        let perBin = (steps / 40).rounded(.up)
        width = step * max(perBin, 1)
        // A value is in the middle of its step.
        low = least - step / 2
        counts = Array(repeating: 0, count: Int(min((steps / max(perBin, 1)).rounded(.up), 48)))
        high = low + width * Double(counts.count)
        for value in values { counts[min(max(Int((value - low) / width), 0), counts.count - 1)] += 1 }
    }
}

extension MotionSeries {
    /// How much of a chip's axis is on an axis of the rig.
    fileprivate func weight(of chipAxis: String, on axis: Int) -> Double {
        guard let place = axes.firstIndex(where: { $0.name == chipAxis }) else { return 0 }
        return weights[axis]?[place] ?? 0
    }

    /// The quantization step on an axis of the rig, which is the chip's or the format's; nil where several axes make it.
    fileprivate func step(onRigAxis axis: Int, atLeast step: Double) -> Double? {
        let parts = zip(weights[axis] ?? [], axes).filter { $0.0 != 0 }
        return parts.count == 1 ? parts.first.map { abs($0.0) * max(abs($0.1.scale), step) } : nil
    }
}

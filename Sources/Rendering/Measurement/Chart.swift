internal import Readiness
package import Measurement

/// One picture of a measurement, as SVG.
package struct Chart: Sendable {
    /// A short name for files, such as `histogram`.
    package var name: String
    /// What it shows, in a few words.
    package var title: String
    /// How to read it, in a sentence.
    package var caption: String
    let drawing: Drawing

    /// The picture as an element of a page that has `style`.
    package var element: String {
        "<svg class=\"chart\" viewBox=\"0 0 \(Int(drawing.width)) \(Int(drawing.height))\" role=\"img\" aria-label=\"\(title.xml)\" xmlns=\"http://www.w3.org/2000/svg\">\(drawing.shapes)</svg>"
    }

    /// The picture as a file of its own, with its style and title.
    package func file(of subject: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(drawing.width)) \(Int(drawing.height) + 18)" \
        width="\(Int(drawing.width) * 2)" height="\(Int(drawing.height + 18) * 2)" role="img">
        <title>\("\(subject): \(title)".xml)</title>
        <desc>\(caption.xml)</desc>
        <style>\(Self.style)</style>
        <rect class="paper" width="100%" height="100%"/>
        <text x="4" y="13" class="strong">\("\(subject): \(title)".xml)</text>
        <g transform="translate(0 18)">\(drawing.shapes)</g>
        </svg>

        """
    }

    /// The style of the shapes, for light and dark screens and for paper.
    ///
    /// The colours are told apart with every kind of colour vision, and the lines by their dashes too. Source: Okabe and
    /// Ito, "Color Universal Design".
    package static let style = """
        .chart{color:#222;--x:#c44601;--y:#00795c;--z:#0063a0;--bad:#c00}\
        .chart text{font:11px system-ui,"DejaVu Sans",sans-serif;fill:currentColor}.chart .strong{font-weight:600}\
        @media(max-width:400px){.chart text{font-size:13.5px}}\
        .chart path,.chart circle{fill:none;stroke-width:1.1;stroke-linejoin:round}\
        .chart .frame{fill:none;stroke:currentColor;stroke-opacity:.5}.chart .grid{stroke:currentColor;stroke-opacity:.15}\
        .chart .x{stroke:var(--x)}.chart .y{stroke:var(--y)}.chart .z{stroke:var(--z)}\
        .chart .dash{stroke-dasharray:6 2}.chart .dot{stroke-dasharray:1.5 2}\
        .chart .bar{fill:var(--z);fill-opacity:.35}.chart .normal{stroke:currentColor;stroke-dasharray:4 2}\
        .chart .points{stroke:var(--z);stroke-width:3;stroke-linecap:round;stroke-opacity:.6}\
        .chart .ring{stroke:currentColor}.chart .used{fill:var(--y);stroke:var(--y)}.chart .unused{stroke:currentColor}\
        .chart .gap{fill:var(--bad);fill-opacity:.22}\
        .chart .fault{fill:var(--x);fill-opacity:.08;stroke:var(--x);stroke-dasharray:4 3}\
        .chart .level{stroke-dasharray:8 3 1 3;stroke-opacity:.7}.chart .bar-line{stroke-opacity:.5}\
        .chart .mark{stroke:var(--bad);stroke-width:2}.chart .paper{fill:#fff}\
        @media screen and (prefers-color-scheme:dark){\
        .chart{color:#ddd;--x:#ff9a4d;--y:#3fcfa4;--z:#6db8ff;--bad:#ff6b6b}.chart .paper{fill:#161616}}
        """
}

extension Chart {
    /// All pictures of one sensor, and what is left out with its reason.
    package static func charts(
        of series: SensorSeries, _ measurement: SensorMeasurement
    ) -> (charts: [Chart], notes: [String]) {
        switch series {
        case .motion(let series):
            measurement.motion.map { motionCharts(of: series, measurement, $0) } ?? ([], [])
        case .position(let series): (receiverCharts(of: series, measurement), [])
        case .controller(let series): (controllerCharts(of: series), [])
        case .steps: ([], [])
        }
    }
}

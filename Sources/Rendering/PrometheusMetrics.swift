package import Readiness

/// An assessment as metrics in Prometheus' text format, for node_exporter's textfile collector or a scrape.
///
/// The format has no type for a state, so each service has a series for each verdict, and each requirement one for each
/// status, of which one is 1 and the others are 0. A service that counts apart in the exit status, since its findings are
/// accepted, has the verdict `accepted`. Series are in table order, sensors by kind and key: equal assessments are equal
/// texts. It holds no reading, and so no position. Source: Prometheus, Exposition formats: Text-based format, version 0.0.4.
package struct PrometheusMetrics: Sendable {
    /// The media type of the text, for an answer over HTTP.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"
    /// The most characters of a label's value; longer ones are cut.
    package static let labelLimit = 256

    /// What stands for the verdict of a service that counts apart.
    private static let accepted = "accepted"

    private let assessment: Assessment
    private let changes: Int?

    /// Creates the metrics of an assessment; `changes` is the number of changes that a watch has seen, nil without one.
    package init(_ assessment: Assessment, changes: Int? = nil) {
        self.assessment = assessment
        self.changes = changes
    }

    /// The text: UTF-8, each line ended.
    package var text: String {
        var text = ""
        func add(_ name: String, type: String = "gauge", _ help: String, _ samples: [String]) {
            guard !samples.isEmpty else { return }
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
            for sample in samples { text += name + sample + "\n" }
        }
        let rules = assessment.request.evaluator.rules.profile.description
        add(
            "rigready_info", "The version of rigready and the profile of its rules; always 1.",
            [Self.sample([("version", Release.version), ("rules", rules)], 1)])
        add(
            "rigready_service_verdict", "1 for the verdict that a service has, 0 for the others.",
            assessment.services.flatMap { service in
                let own = assessment.acceptedServices.contains(service.service) ? Self.accepted : service.verdict.id
                return (Verdict.allCases.reversed().map(\.id) + [Self.accepted]).map { verdict in
                    Self.sample([("service", service.id), ("verdict", verdict)], own == verdict ? 1 : 0)
                }
            })
        add(
            "rigready_requirement_status", "1 for the status that a requirement has, 0 for the others.",
            assessment.requirements.flatMap { result in
                [RequirementStatus.met, .unmet, .unknown, .unchecked].map { status in
                    Self.sample(
                        [("requirement", result.id), ("status", status.rawValue)], result.status == status ? 1 : 0)
                }
            })
        add("rigready_sensor_available", "1 if a sensor is there and delivers, 0 with the cause if not.", sensors)
        let time = assessment.rig.takenAt.secondsSinceEpoch ?? -1
        add(
            "rigready_report_timestamp_seconds", "Time of the probe, in seconds since 1970.",
            time >= 0 ? [" \(time.fixed(3))"] : [])
        add(
            "rigready_changes_total", type: "counter", "The changes of the report since the watch began.",
            changes.map { [" \($0)"] } ?? [])
        return text
    }

    /// One sample of each sensor.
    ///
    /// Two keys that are equal once they are safe to print get a number, as equal keys have:
    /// a collector refuses a whole file that has one series twice.
    private var sensors: [String] {
        var taken: Set<String> = []
        return assessment.sensors.map { sensor in
            let key = sensor.key.labelValue
            var distinct = key
            var number = 2
            while !taken.insert("\(sensor.kind.id) \(distinct)").inserted {
                distinct = "\(key)#\(number)"
                number += 1
            }
            let isAvailable = sensor.availability == .available
            return Self.sample(
                [("kind", sensor.kind.id), ("key", distinct), ("cause", isAvailable ? "" : sensor.availability.id)],
                isAvailable ? 1 : 0)
        }
    }

    private static func sample(_ labels: [(name: String, value: String)], _ value: Int) -> String {
        // Line breaks are gone by then.
        let texts = labels.map { "\($0.name)=\"\($0.value.escaping(["\\", "\""]))\"" }
        return "{" + texts.joined(separator: ",") + "} \(value)"
    }
}

extension String {
    /// The text in one line that is safe to print, and of bounded length.
    fileprivate var labelValue: String {
        String(String.UnicodeScalarView(singleLine.unicodeScalars.prefix(PrometheusMetrics.labelLimit)))
    }
}

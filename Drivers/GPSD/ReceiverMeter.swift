package import DriverKit
package import Measurement
package import Readiness

/// Captures what a gpsd reports of its receivers.
///
/// Besides positions and satellites it asks for the offset of the machine's clock (TOFF and PPS, gpsd_json(5)), which
/// gpsd sends only where a receiver's time arrives with each cycle.
package struct ReceiverMeter: SensorMeter {
    package let sensors: [Sensor]
    private let peer: HostPort
    /// The longest wait for a message in seconds, so that the end of a measurement is noticed.
    private static let tick = 0.25

    package init?(for sensors: [Sensor], at peer: HostPort) {
        self.sensors = sensors.filter { $0.driver == "gpsd" && $0.kind == .locationReceiver }
        self.peer = peer
        if self.sensors.isEmpty { return nil }
    }

    private var endpoint: Endpoint { .gpsd(host: peer.host, port: peer.port) }

    package var name: String { endpoint.description }

    package func series(in world: any World, during period: MeasuringPeriod) -> [SensorSeries] {
        let address = GPSDAddress(peer, world: world)
        var client = GPSDClient(at: address, StatusRules(at: address), in: world)
        client.connect(.reportsAndClock, until: world.now().advanced(bySeconds: GPSDClient.patience))
        guard let began = client.state.since, client.state.failure == nil else {
            let remedies = client.state.response?.remedies(
                at: address, in: world, nodes: sensors.compactMap(\.path))
            let method = MeasurementMethod.unmeasured(reason: client.state.failure ?? "", remedies: remedies ?? [])
            return sensors.map { .uncaptured($0, method) }
        }
        let end = began.advanced(bySeconds: period.seconds)
        var series = sensors.map { sensor in
            PositionSeries(
                key: sensor.key, name: sensor.name, began: began.nanoseconds, capacity: min(period.capacity, 200_000))
        }
        while client.state.loss == nil, world.now() < end, !period.isEnded(in: world) {
            _ = client.read(until: min(end, world.now().advanced(bySeconds: Self.tick))) { _, message in
                if let message { take(message, at: world.now(), into: &series, period) }
            }
        }
        for index in series.indices {
            series[index].ended = world.now().nanoseconds
            series[index].fault = fault(of: sensors[index], in: client.state)
        }
        return series.map { .position($0) }
    }

    /// What ended the reports of a receiver before their time; nil if nothing did.
    private func fault(of sensor: Sensor, in state: GPSDState) -> String? {
        // A recording ends where its capture did.
        if state.loss?.code == .notRecorded { return nil }
        if let failure = state.failure { return failure }
        return state.receivers.first { $0.isDropped && sensor.isReceiver(at: $0.device.path) }?.status?.detail
    }

    private func take(
        _ message: Message, at now: Instant, into series: inout [PositionSeries], _ period: MeasuringPeriod
    ) {
        switch message {
        case .report(let report):
            guard let index = index(of: report.device) else { return }
            let position = report.hasPosition ? report : nil
            series[index].append(
                PositionReport(
                    time: now.nanoseconds, fix: position?.fix ?? .none, latitude: position?.latitude,
                    longitude: position?.longitude, altitude: position?.altitude,
                    horizontalError: position?.error, speed: position?.speed, receiverTime: report.time))
            period.report(
                MeasuringPeriod.Progress(
                    kind: .locationReceiver, key: sensors[index].key, samples: series[index].positions.count,
                    seconds: Double(now.nanoseconds - (series[index].positions.first?.time ?? now.nanoseconds)) / 1e9,
                    values: series[index].skies.last?.used.map { [Double($0)] + [position?.error].compactMap(\.self) }
                        ?? []))
        case .sky(let device, let sky):
            // gpsd may send the dilutions of precision without the satellites.
            guard let index = index(of: device), let seen = sky.seen else { return }
            let report = SkyReport(
                time: now.nanoseconds, seen: seen, used: sky.used,
                signals: sky.satellites.filter(\.isUsed).compactMap(\.signal),
                horizontalDilution: sky.horizontalDilution)
            series[index].append(report)
            if !sky.satellites.isEmpty { series[index].satellites = sky.satellites }
        case .clock(let device, let difference):
            guard let index = index(of: device), series[index].clockDifferences.count < series[index].capacity else {
                return
            }
            series[index].clockDifferences.append(difference)
        default: break
        }
    }

    /// The sensor of a device as gpsd names it; a report without a name belongs to the only one.
    private func index(of device: String?) -> Int? {
        guard let device else { return sensors.count == 1 ? 0 : nil }
        return sensors.firstIndex { $0.isReceiver(at: device) }
    }
}

extension Sensor {
    /// Whether it is the receiver that gpsd names so.
    package func isReceiver(at path: String) -> Bool {
        kind == .locationReceiver && (self.path == path || evidence.contains { $0.path == path })
    }
}

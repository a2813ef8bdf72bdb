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
    /// Seconds for gpsd to accept a connection.
    private static let patience = 2.0
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
        let deadline = world.now().advanced(bySeconds: Self.patience)
        do throws(DriverError) {
            var connection = GPSDConnection(try world.channel(to: endpoint, until: deadline))
            try connection.ask(#"?WATCH={"enable":true,"json":true,"pps":true};"#, until: deadline)
            return captured(by: &connection, in: world, during: period).map { .position($0) }
        } catch {
            let way = MeasurementWay.unmeasured(
                reason: error.description, remedies: remedies(after: error, in: world))
            return sensors.map { .uncaptured($0, way) }
        }
    }

    /// What fixes a connection that was not made, as in a check.
    private func remedies(after error: DriverError, in world: any World) -> [Remedy] {
        let address = GPSDAddress(peer, world: world)
        return switch DeviceListResponse(error, address) {
        case .answered: []
        case .denied: ReceiverRemedies(address: address).admission
        case .unknown(let error): ReceiverRemedies(address: address).asking(after: error)
        case .unreachable(_, _, let fault):
            OpeningRemedies(world: world, address: address, nodes: sensors.compactMap(\.path), fault: fault).remedies
        }
    }

    private func captured(
        by connection: inout GPSDConnection, in world: any World, during period: MeasuringPeriod
    ) -> [PositionSeries] {
        let began = world.now()
        let end = began.advanced(bySeconds: period.seconds)
        var series = sensors.map { sensor in
            PositionSeries(
                key: sensor.key, name: sensor.name, began: began.nanoseconds, capacity: min(period.capacity, 200_000))
        }
        var fault: String?
        while fault == nil, world.now() < end, !period.isEnded(in: world) {
            do throws(DriverError) {
                let messages = try connection.listen(until: min(end, world.now().advanced(bySeconds: Self.tick)))
                for message in messages { take(message, at: world.now(), into: &series, period) }
                if connection.isForeign { fault = "what answers is not gpsd" }
            } catch {
                if error.code == .timedOut { continue }
                // A recording ends where its capture did.
                if error.code == .notRecorded { break }
                fault = error.description
            }
        }
        for index in series.indices {
            series[index].ended = world.now().nanoseconds
            series[index].fault = fault
        }
        return series
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

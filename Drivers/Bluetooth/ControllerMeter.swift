package import DriverKit
package import Measurement
package import Readiness

/// Asks controllers for their state ten times a second, and notes when it changes and how long each answer takes.
package struct ControllerMeter: SensorMeter {
    package let sensors: [Sensor]
    private static let interval = 0.1
    private static let patience = 1.0

    package init?(for sensors: [Sensor]) {
        self.sensors = sensors.filter { $0.driver == BluetoothDriver.identifier && $0.kind == .bluetoothAdapter }
        if self.sensors.isEmpty { return nil }
    }

    package var name: String { Endpoint.management.description }

    package func series(in world: any World, during period: MeasuringPeriod) -> [SensorSeries] {
        do throws(DriverError) {
            return captured(by: try client(in: world), in: world, during: period)
        } catch {
            let method = MeasurementMethod.unmeasured(reason: error.description, remedies: error.remedies)
            return sensors.map { .uncaptured($0, method) }
        }
    }

    private func client(in world: any World) throws(DriverError) -> ManagementClient {
        ManagementClient(
            try world.channel(to: .management, until: world.now().advanced(bySeconds: Self.patience)))
    }

    private func captured(
        by client: ManagementClient, in world: any World, during period: MeasuringPeriod
    ) -> [SensorSeries] {
        let began = world.now()
        let end = began.advanced(bySeconds: period.seconds)
        var client = client
        var series = sensors.map {
            ControllerSeries(key: $0.key, name: $0.name, seconds: 0, capacity: min(period.capacity, 200_000))
        }
        var latest: [ControllerInformation?] = sensors.map { _ in nil }
        var wasReady = sensors.map { _ in false }
        var (next, last) = (began, began)
        var isOver = false
        while !isOver, world.now() < end, !period.wait(min(next, end)) {
            next = max(next.advanced(bySeconds: Self.interval), world.now())
            for index in series.indices where series[index].fault == nil {
                do throws(DriverError) {
                    let end = world.now().advanced(bySeconds: Self.patience)
                    let number = sensors[index].path.flatMap(controllerIndex) ?? ManagementPacket.noController
                    try client.send(.readInformation, index: number, until: end)
                    // In a recording the clock shows the last answer, which is that of the send.
                    let asked = world.now()
                    let reply = try client.reply(to: .readInformation, index: number, until: end)
                    let information = try information(in: reply, of: sensors[index])
                    let seconds = began.seconds(to: world.now())
                    series[index].append(answer: asked.seconds(to: world.now()))
                    series[index].seconds = seconds
                    if let before = latest[index], before.isPowered != information.isPowered {
                        series[index].append(PowerChange(seconds: seconds, isPowered: information.isPowered))
                    }
                    latest[index] = information
                    if information.isPowered, information.lowEnergy == .on { wasReady[index] = true }
                    period.report(
                        MeasuringPeriod.Progress(
                            kind: .bluetoothAdapter, key: sensors[index].key, samples: series[index].answers.count,
                            seconds: seconds, values: series[index].answers.suffix(1)))
                } catch {
                    // A recording ends where its capture did.
                    if error.code == .notRecorded {
                        isOver = true
                    } else if error.code == .timedOut {
                        series[index].unanswered += 1
                        // Answers have no numbers: a late one would be taken for that of the next question, but it
                        // comes through the socket of its own question alone.
                        do throws(DriverError) {
                            client = try self.client(in: world)
                        } catch {
                            series[index].fault = error.description
                        }
                    } else {
                        series[index].fault = error.description
                    }
                }
            }
            // The clock of a recording stands still once all its answers were given.
            if world.now() == last { break }
            last = world.now()
        }
        return series.indices.map { index in
            guard let information = latest[index], !wasReady[index] else { return .controller(series[index]) }
            // However well it answers, nothing can be found with it.
            let state = information.isPowered ? "was without Bluetooth Low Energy" : "was powered off"
            return .uncaptured(
                sensors[index],
                .unmeasured(reason: "it \(state) for the whole measurement", remedies: sensors[index].remedies))
        }
    }

    /// What a controller reports of itself; one that the kernel no longer has is an error.
    private func information(
        in reply: ManagementReply, of sensor: Sensor
    ) throws(DriverError) -> ControllerInformation {
        guard reply.status == .success else {
            throw DriverError(.refused, subject: sensor.name, detail: reply.status.words)
        }
        return try ControllerInformation(management: reply.parameters)
    }
}

import Foundation

#if canImport(CoreMotion)
    import CoreMotion
#else
    import RigMotion
#endif

/// Prints samples of the motion sensors until there are enough of them, or an error ends the updates.
///
/// A sensor that delivers nothing for a while is an error too, after which updates go on; `endsAtError` ends at it.
@MainActor final class MotionLog {
    private let manager = CMMotionManager()
    private let activities = CMMotionActivityManager()
    private let interval: TimeInterval
    private let endsAtError: Bool

    init(rate: Double, endsAtError: Bool = false) {
        interval = 1 / rate
        self.endsAtError = endsAtError
    }

    func accelerometer(count: Int) {
        guard manager.isAccelerometerAvailable else { return end("no accelerometer", 2) }
        manager.accelerometerUpdateInterval = interval
        var left = count
        manager.startAccelerometerUpdates(to: .main) { [self] data, error in
            MainActor.assumeIsolated {
                guard let data else { return show(error, goesOn: manager.isAccelerometerActive) }
                #if !canImport(CoreMotion)
                    if left == count, let capture = manager.accelerometerCapture { show(capture) }
                #endif
                line("sample", data.timestamp, data.acceleration.x, data.acceleration.y, data.acceleration.z)
                left -= 1
                if left <= 0 { end("enough", 0) }
            }
        }
    }

    func gyro(count: Int) {
        guard manager.isGyroAvailable else { return end("no gyroscope", 2) }
        manager.gyroUpdateInterval = interval
        var left = count
        manager.startGyroUpdates(to: .main) { [self] data, error in
            MainActor.assumeIsolated {
                guard let data else { return show(error, goesOn: manager.isGyroActive) }
                #if !canImport(CoreMotion)
                    if left == count, let capture = manager.gyroCapture { show(capture) }
                #endif
                line("sample", data.timestamp, data.rotationRate.x, data.rotationRate.y, data.rotationRate.z)
                left -= 1
                if left <= 0 { end("enough", 0) }
            }
        }
    }

    func activity() {
        let now = Date()
        line("authorization", CMMotionActivityManager.authorizationStatus().rawValue)
        activities.queryActivityStarting(from: now, to: now, to: .main) { [self] activities, error in
            MainActor.assumeIsolated {
                guard let activity = activities?.first else { return end(error) }
                let flags = [
                    ("stationary", activity.stationary), ("walking", activity.walking), ("running", activity.running),
                    ("unknown", activity.unknown),
                ]
                line("activity", flags.filter(\.1).map(\.0).joined(separator: " "), activity.confidence.rawValue)
                end("enough", 0)
            }
        }
    }

    #if !canImport(CoreMotion)
        private func show(_ capture: RigMotionCapture) {
            line("capture", capture.name, capture.isBuffered ? "buffer" : "attributes", capture.frequency)
            if let reason = capture.reason { line("because", reason) }
        }
    #endif

    private func show(_ error: (any Error)?, goesOn: Bool) {
        guard goesOn, !endsAtError, let error = error as? NSError else { return end(error) }
        line(words(for: error))
    }

    private func end(_ error: (any Error)?) {
        guard let error = error as? NSError else { return end("no data and no error", 3) }
        end(words(for: error), 1)
    }

    private func words(for error: NSError) -> String {
        "error \(error.domain) \(error.code) \(error.localizedDescription)"
    }

    private func end(_ words: String, _ status: Int32) {
        manager.stopAccelerometerUpdates()
        manager.stopGyroUpdates()
        line(words)
        exit(status)
    }
}

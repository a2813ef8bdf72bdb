internal import Configuration
internal import DriverKit
internal import Foundation
internal import IIOCapture
internal import Readiness
internal import PhoneKit
internal import Synchronization

/// The updates of one sensor of one manager, from their start to their stop.
final class SensorUpdates<Item: Sendable>: Sendable {
    private struct State {
        var interval = 0.01
        /// The number of the current start; a stop increments it too, so that late events are recognized.
        var turn = 0
        var isActive = false
        var latest: Item?
        var way: CaptureMode?
        var token: MotionCapture.Token?
        var handlers: HandlerQueue<Item>?
        var observation: Observation?
    }

    private let kind: SensorKind
    private let rig: PhoneRig
    private let capture: MotionCapture
    private let make: @Sendable (MotionSample) -> Item
    private let state = Mutex(State())
    /// Held while the capture is started or stopped, so that a stop during a start is not lost.
    private let change = Mutex(())

    init(_ kind: SensorKind, of rig: PhoneRig, _ make: @escaping @Sendable (MotionSample) -> Item) {
        self.kind = kind
        self.rig = rig
        self.make = make
        capture = rig.attachment(MotionCapture.self) {
            MotionCapture(world: $0.settings.world, hardware: LiveCaptureHardware())
        }
    }

    deinit { stop() }

    private var pin: String? { rig.state.configuration.pins[kind] }

    var isAvailable: Bool { capture.isListed(kind, pinned: pin) }
    var isActive: Bool { state.withLock(\.isActive) }
    var latest: Item? { state.withLock(\.latest) }
    var way: CaptureMode? { state.withLock(\.way) }

    var interval: Double {
        get { state.withLock(\.interval) }
        set {
            let isChanged = state.withLock { state in
                defer { state.interval = newValue }
                return state.isActive && state.interval != newValue
            }
            // The device is restarted; the handler stays.
            if isChanged { begin(state.withLock(\.handlers)) }
        }
    }

    /// Starts, or restarts with another handler.
    func start(_ handlers: HandlerQueue<Item>?) {
        state.withLock(\.handlers)?.cancel()
        begin(handlers)
    }

    func stop() {
        let handlers = state.withLock { state in
            state.turn += 1
            state.isActive = false
            state.way = nil
            state.observation = nil
            defer { state.handlers = nil }
            return state.handlers
        }
        handlers?.cancel()
        release()
    }

    private func release() {
        change.withLock { _ in
            if let token = state.withLock({ $0.token.take() }) { capture.stop(token) }
        }
    }

    private func begin(_ handlers: HandlerQueue<Item>?) {
        let turn = state.withLock { state in
            state.turn += 1
            state.isActive = true
            state.handlers = handlers
            return state.turn
        }
        // The first probe of a rig takes a moment, which must not block the caller.
        let isStarted = Worker.start { [weak self, rig] in
            MotionPermission(rig: rig).obtain(CMErrorNotAuthorized) { [weak self] refusal in self?.run(turn, refusal) }
        }
        if !isStarted { end(turn, CMErrorUnknown.error("no thread can be started")) }
    }

    private func run(_ turn: Int, _ refusal: NSError?) {
        if let refusal { return end(turn, refusal) }
        let observation = rig.observe { [weak self] _ in
            guard let self, let refusal = MotionPermission(rig: self.rig).refusal(CMErrorNotAuthorized) else { return }
            self.end(turn, refusal)
        }
        change.withLock { _ in
            let before = state.withLock { state -> (interval: Double, token: MotionCapture.Token?)? in
                guard state.turn == turn else { return nil }
                state.observation = observation
                return (state.interval, state.token.take())
            }
            guard let before else { return }
            if let token = before.token { capture.stop(token) }
            do throws(DriverError) {
                let token = try capture.start(kind, pinned: pin, every: before.interval) { [weak self] event in
                    self?.hear(event, turn)
                }
                state.withLock { $0.token = token }
            } catch {
                end(turn, CMError.error(error), isReleased: true)
            }
        }
    }

    private func hear(_ event: MotionEvent, _ turn: Int) {
        switch event {
        case .started(let way): state.withLock { if $0.turn == turn { $0.way = way } }
        case .sample(let sample):
            let item = make(sample)
            let handlers = state.withLock { state -> HandlerQueue<Item>? in
                guard state.turn == turn else { return nil }
                state.latest = item
                return state.handlers
            }
            handlers?.send(item)
        case .failure(let error, isFinal: false):
            state.withLock { $0.turn == turn ? $0.handlers : nil }?.send(CMError.error(error))
        case .failure(let error, isFinal: true): end(turn, CMError.error(error), isReleased: true)
        }
    }

    /// Ends the updates with an error, which the handler receives; a later start begins again.
    private func end(_ turn: Int, _ error: NSError, isReleased: Bool = false) {
        let (isCurrent, handlers) = state.withLock { state -> (Bool, HandlerQueue<Item>?) in
            guard state.turn == turn, state.isActive else { return (false, nil) }
            state.isActive = false
            state.way = nil
            state.observation = nil
            if isReleased { state.token = nil }
            return (true, state.handlers)
        }
        guard isCurrent else { return }
        handlers?.send(error)
        if !isReleased { release() }
    }
}

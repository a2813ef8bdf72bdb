internal import Configuration
internal import Dispatch
internal import Permissions
internal import PhoneKit
internal import Synchronization

/// The implementation of a manager, apart from the object itself, which belongs to the app.
final class CentralManagerCore: Sendable {
    private struct State {
        var told = CBManagerState.unknown
        var isFirst = true
        var observation: Observation?
    }

    private let rig: PhoneRig
    private let queue: DispatchQueue
    /// Orders changes, and waits for the first probe.
    private let desk = DispatchQueue(label: "rigready.bluetooth")
    private let inside = Mutex(State())

    init(_ rig: PhoneRig, queue: DispatchQueue?) {
        self.rig = rig
        self.queue = queue ?? .main
    }

    /// The state that was reported last.
    var state: CBManagerState { inside.withLock(\.told) }

    /// Reports the state and each change on the manager's queue; asks first if that is wanted and nothing was decided
    /// yet.
    func begin(asks: Bool, _ tell: @escaping () -> Void) {
        let teller = Teller(tell)
        let observation = rig.observe { [weak self] _ in self?.look(teller) }
        inside.withLock { $0.observation = observation }
        let rig = rig
        desk.async {
            if asks, BluetoothState(rig.state).authorization == .notDetermined { rig.request(.bluetooth) }
        }
        look(teller)
    }

    /// Ends the reports.
    func end() {
        let observation = inside.withLock { inside in
            defer { inside.observation = nil }
            return inside.observation
        }
        observation?.cancel()
    }

    /// Reports on standard error what has no effect.
    func complain(_ line: String) { rig.settings.complain(line) }

    /// Reports the state at that time, if it differs.
    private func look(_ teller: Teller) {
        desk.async { [weak self] in
            guard let self else { return }
            let new = BluetoothState(rig.state).state
            queue.async { [weak self] in
                guard let self else { return }
                let isNews = inside.withLock { inside in
                    defer { (inside.told, inside.isFirst) = (new, false) }
                    return inside.observation != nil && (inside.isFirst || inside.told != new)
                }
                if isNews { teller.tell() }
            }
        }
    }
}

/// A call made only on the manager's queue, which may retain objects of the app.
private final class Teller: @unchecked Sendable {
    let tell: () -> Void
    init(_ tell: @escaping () -> Void) { self.tell = tell }
}

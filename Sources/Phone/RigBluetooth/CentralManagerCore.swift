internal import Configuration
internal import Dispatch
internal import Permissions
internal import PhoneKit
internal import Synchronization

/// What a manager does, apart from the manager itself, which is its app's to touch.
final class CentralManagerCore: Sendable {
    private struct State {
        var told = CBManagerState.unknown
        var isFirst = true
        var observation: Observation?
    }

    private let rig: PhoneRig
    private let queue: DispatchQueue
    /// Where changes are put in order, and where the first look is waited for.
    private let desk = DispatchQueue(label: "rigready.bluetooth")
    private let inside = Mutex(State())

    init(_ rig: PhoneRig, queue: DispatchQueue?) {
        self.rig = rig
        self.queue = queue ?? .main
    }

    /// The state that was told last.
    var state: CBManagerState { inside.withLock(\.told) }

    /// Tells of the state and of each change, on the manager's queue; asks first where that is wanted and nobody has
    /// decided yet.
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

    /// Tells no more.
    func end() {
        let observation = inside.withLock { inside in
            defer { inside.observation = nil }
            return inside.observation
        }
        observation?.cancel()
    }

    /// Says on standard error what has no effect.
    func complain(_ line: String) { rig.settings.complain(line) }

    /// Tells the state as it is by then, if it is another.
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

/// What is called on the manager's queue alone, and may hold what is the app's.
private final class Teller: @unchecked Sendable {
    let tell: () -> Void
    init(_ tell: @escaping () -> Void) { self.tell = tell }
}

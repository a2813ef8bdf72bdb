package import LocalRig
internal import DriverKit
package import Fleet
internal import Glibc
package import Readiness
internal import Rendering
internal import Synchronization

/// Reads the fleet from a broker for all viewers of its pages, and only while somebody looks.
package final class FleetFeed: Sendable {
    package enum FleetView: Sendable, Hashable {
        case fleet
        case rig(RigName)
    }

    /// Seconds that a broker may take to answer, and to send everything.
    private static let patience = 5.0
    /// Seconds after the last request or viewer at which the connection is closed.
    private static let linger = 30.0
    /// Seconds between two looks at what changes by time alone, and the least between two changes that are shown.
    private static let (pulse, rest) = (5.0, 0.1)

    private struct State {
        var overview: FleetOverview?
        /// Why no rigs are shown; nil if a broker answers.
        var failure: String?
        var isFollowing = false
        var used = Instant.now
        var viewers: [ObjectIdentifier: (viewer: BoardViewer, subject: FleetView, shown: String)] = [:]
        /// Requests that wait for the first answer.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var number = 0
    }

    private let brokers: BrokerConfiguration
    private let services: ServiceSet?
    private let state = Mutex(State())

    /// Prepares to read from the brokers; `services` are the requested ones, nil for those that each rig evaluates.
    package init(_ brokers: BrokerConfiguration, services: ServiceSet?) {
        self.brokers = brokers
        self.services = services
    }

    /// The page of a subject, complete without a script; waits for the broker, at most for its patience.
    package func page(of subject: FleetView) async -> String {
        await withCheckedContinuation { continuation in
            let isKnown = state.withLock { state in
                let isKnown = state.overview != nil || state.failure != nil
                if !isKnown { state.waiting.append(continuation) }
                return isKnown
            }
            follow()
            if isKnown { continuation.resume() }
        }
        let (title, main) = content(of: subject)
        return BoardDocument.html(
            title: title, main: main, link: subject == .fleet ? ("../", "This rig") : nil,
            footer: "rigready-web \(Release.version), \(FleetDocument.schema)")
    }

    private func content(of subject: FleetView) -> (title: String, main: Markup) {
        let (overview, failure) = state.withLock { ($0.overview, $0.failure) }
        let known = overview ?? FleetOverview([], broker: nil, services: services)
        switch subject {
        case .fleet:
            return (known.title, known.main(remark: failure, linksRigs: true))
        case .rig(let name):
            let page = FleetRigPage(name.description, known.rigs.first { $0.name == name }?.standing)
            return (page.title, page.main(remark: failure))
        }
    }

    // MARK: Viewers

    /// Adds a viewer of a subject, who receives its state immediately or as soon as it is known.
    ///
    /// Returns nil if there are too many.
    package func addViewer(of subject: FleetView, isGuarded: Bool = false) -> BoardViewer? {
        let viewer = BoardViewer(isGuarded: isGuarded)
        let isAdded = state.withLock { state in
            let others = state.viewers.values.count { $0.viewer.isGuarded == isGuarded }
            guard others < BoardFeed.viewerLimit else { return false }
            state.viewers[ObjectIdentifier(viewer)] = (viewer, subject, "")
            return true
        }
        guard isAdded else { return nil }
        follow()
        showAll()
        return viewer
    }

    package func remove(_ viewer: BoardViewer) {
        viewer.end()
        state.withLock { $0.viewers[ObjectIdentifier(viewer)] = nil }
    }

    /// Sends each viewer what changed of its page.
    private func showAll() {
        let subjects = state.withLock { state in
            state.overview == nil && state.failure == nil ? [] : Set(state.viewers.values.map(\.subject))
        }
        for subject in subjects {
            let main = content(of: subject).main.text
            state.withLock { state in
                for (key, entry) in state.viewers where entry.subject == subject && entry.shown != main {
                    state.number += 1
                    state.viewers[key]?.shown = main
                    entry.viewer.show(ServerSentEvent.text("report", id: state.number, data: main))
                }
            }
        }
    }

    // MARK: Following

    /// Starts to read from the broker, unless that is under way.
    private func follow() {
        let isStarting = state.withLock { state in
            state.used = .now
            defer { state.isFollowing = true }
            return !state.isFollowing
        }
        if isStarting, !Worker.start({ self.run() }) {
            state.withLock { $0.isFollowing = false }
            settle(nil, failure: "the system cannot start a thread")
        }
    }

    /// Whether somebody looks, or did a moment ago; if nobody does, following has ended.
    private func isWanted() -> Bool {
        state.withLock { state in
            if !state.viewers.isEmpty || state.used.seconds(to: .now) < Self.linger { return true }
            (state.isFollowing, state.overview, state.failure) = (false, nil, nil)
            return false
        }
    }

    private func run() {
        while isWanted() {
            do {
                let subscription = try FleetSubscription(brokers, patience: Self.patience)
                try subscription.readAll(until: .now.advanced(bySeconds: Self.patience))
                repeat {
                    settle(
                        FleetOverview(
                            subscription.rigs.standings(asked: services), broker: subscription.url, services: services))
                    usleep(UInt32(Self.rest * 1e6))
                    let due = Instant.now.advanced(bySeconds: Self.pulse)
                    while try subscription.next(until: due).isEmpty, Instant.now < due {}
                } while isWanted()
                return
            } catch {
                settle(nil, failure: "\(error)")
                usleep(UInt32(Self.pulse * 1e6))
            }
        }
    }

    /// Takes what is known now, and lets those that wait have it.
    private func settle(_ overview: FleetOverview?, failure: String? = nil) {
        let waiting = state.withLock { state in
            (state.overview, state.failure) = (overview, failure)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
        showAll()
    }
}

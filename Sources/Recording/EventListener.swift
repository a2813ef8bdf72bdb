public import DriverKit
internal import Synchronization
internal import SystemPackage

/// Listens to what happens on a rig after its probe, and has it written down.
///
/// Each source has a thread and a conversation of its own, which stand in the recording under the driver's name `events`.
public final class EventListener: Sendable {
    /// The name under which events are recorded.
    static let name = "events"
    /// What all events together may cost in the file; a rig that babbles must not fill the memory.
    private static let limit = 32 << 20

    private struct State {
        var channels: [any Channel] = []
        var running = 0
        var frames = 0
        var bytes = 0
        var isCancelled = false
    }

    private let feeds: [EventFeed]
    private let world: RecordingWorld
    private let state = Mutex(State())

    /// Makes a listener that has not begun.
    public init(to feeds: [EventFeed], in world: any World, recorder: Recorder) {
        self.feeds = feeds
        self.world = RecordingWorld(world, of: Self.name, to: recorder)
    }

    /// How many frames came so far.
    public var count: Int { state.withLock(\.frames) }

    /// Whether every source has ended.
    public var isDone: Bool { state.withLock { $0.running == 0 } }

    /// Whether more came than a recording holds, so that listening ended early.
    public var isFull: Bool { state.withLock { $0.bytes > Self.limit } }

    /// Opens the sources and listens until the deadline; returns at once.
    public func start(until deadline: Instant) {
        for feed in feeds where isServed(feed) {
            state.withLock { $0.running += 1 }
            let began = Worker.start {
                self.listen(to: feed, until: deadline)
                self.state.withLock { $0.running -= 1 }
            }
            if !began { state.withLock { $0.running -= 1 } }
        }
    }

    /// Ends listening early; from any thread.
    public func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.cancel() }
    }

    /// Opening what is not loaded would make the kernel load it, which a listener must not.
    private func isServed(_ feed: EventFeed) -> Bool {
        feed.folder.map { (try? world.entries(of: $0)) != nil } ?? true
    }

    private func listen(to feed: EventFeed, until deadline: Instant) {
        // What goes wrong is in the recording, as the answer to the last question.
        guard let channel = try? world.channel(to: feed.endpoint, until: deadline) else { return }
        let isCancelled = state.withLock { state in
            state.channels.append(channel)
            return state.isCancelled
        }
        guard !isCancelled else { return }
        if !feed.request.isEmpty { try? channel.send(feed.request, until: deadline) }
        while let frame = try? channel.receive(limit: 128 << 10, until: deadline) {
            let isFull = state.withLock { state in
                state.frames += 1
                // A line's own words, and what escapes can add.
                state.bytes += 200 + frame.count * 2
                return state.bytes > Self.limit
            }
            if isFull { break }
        }
        if !feed.farewell.isEmpty {
            try? channel.send(feed.farewell, until: world.now().advanced(bySeconds: 0.05))
        }
    }
}

internal import SystemPackage

/// How long a watch waits for an event before it asks again whether it is to end.
private let hour = 3600.0

/// Listens to an endpoint that speaks by itself, or once it is sent a request, and reports what its frames mean.
///
/// A source that loses events (ENOBUFS) or whose frames are damaged has everything listed again: nothing is lost. Calls
/// `forget` before each report, so that nothing kept from before is taken for what is now. Throws what ends the source.
public func listen(
    to endpoint: Endpoint, request: [UInt8] = [], in world: any World, _ monitor: ChangeMonitor,
    forget: () -> Void = {}, _ meaning: ([UInt8]) -> Change?
) throws(DriverError) {
    func report(_ change: Change) {
        forget()
        monitor.report(change)
    }
    let soon = world.now().advanced(bySeconds: 2)
    let channel = try world.channel(to: endpoint, until: soon)
    monitor.keep(channel)
    defer { monitor.drop(channel) }
    if !request.isEmpty { try channel.send(request, until: soon) }
    // What happened before the source was open.
    report(.listing)
    while !monitor.isCancelled {
        do throws(DriverError) {
            let frame = try channel.receive(limit: 128 << 10, until: world.now().advanced(bySeconds: hour))
            if let change = meaning(frame) { report(change) }
        } catch {
            switch error.code {
            case .timedOut: continue
            case .malformed: report(.findings)
            case .cancelled: return
            default:
                guard error.errno == .noBufferSpace else { throw error }
                report(.findings)
            }
        }
    }
}

/// Listens to what udev announces of some subsystems.
public func listenToDevices(
    of subsystems: Set<String>, in world: any World, _ monitor: ChangeMonitor, as change: Change,
    forget: () -> Void = {}
) throws(DriverError) {
    try listen(to: .uevents, in: world, monitor, forget: forget) { frame in
        subsystems.contains(Properties(parsing: frame)["SUBSYSTEM"] ?? "") ? change : nil
    }
}

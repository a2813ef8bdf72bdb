package import DriverKit
package import Readiness
internal import SystemPackage

/// The Bluetooth switches of a rig that can be read.
package struct RfkillSwitches: Sendable, Equatable {
    /// The switches, by number.
    package var list: [RfkillSwitch]
    /// Why they could not be read; nil if the list is complete.
    package var failure: DriverError?

    /// Makes a list.
    package init(_ list: [RfkillSwitch], failure: DriverError? = nil) {
        self.list = list.sorted { $0.number < $1.number }
        self.failure = failure
    }

    /// The switches that can keep a controller off: its own, and those of no other controller.
    package func reaching(_ controller: String) -> [RfkillSwitch] {
        list.filter { $0.name == controller || !($0.name.map(RfkillSwitch.isController) ?? false) }
    }

    /// Only the switches of a controller.
    package func own(_ controller: String) -> [RfkillSwitch] { list.filter { $0.name == controller } }
}

extension [RfkillSwitch] {
    /// Why their radio is off, hard before soft; nil if none is blocked.
    package var cause: Cause? {
        contains(where: \.hard) ? .hardBlocked : contains(where: \.soft) ? .softBlocked : nil
    }

    /// The blocked switches.
    package var blocked: [RfkillSwitch] { filter { $0.cause != nil } }
}

// MARK: - Reading them

extension RfkillSwitches {
    private static let folder: FilePath = "/sys/class/rfkill"

    /// Reads the switches from sysfs, which needs no privilege, or else from `/dev/rfkill`.
    ///
    /// `mayOpen` permits asking the device; it is false if nothing may be opened. A rig whose `/sys/class` has no
    /// `rfkill` has no switch; its device is not opened, since that would load the subsystem.
    package static func read(
        from world: any World, mayOpen: Bool, until deadline: Instant
    ) -> RfkillSwitches {
        do throws(DriverError) {
            let names = try world.entries(of: folder)
            return listed(names, in: world)
        } catch {
            if error.errno == .noSuchFileOrDirectory, (try? world.entries(of: "/sys/class")) != nil {
                return RfkillSwitches([])
            }
            guard mayOpen else { return RfkillSwitches([], failure: error) }
        }
        do throws(DriverError) {
            return RfkillSwitches(try events(of: try world.channel(to: .rfkill, until: deadline), now: world.now()))
        } catch {
            return RfkillSwitches([], failure: error)
        }
    }

    /// The Bluetooth switches of the dump with which `/dev/rfkill` begins; does not wait for later events.
    package static func events(of channel: any Channel, now: Instant) throws(DriverError) -> [RfkillSwitch] {
        var found: [UInt32: RfkillSwitch] = [:]
        // The kernel queues at most a thousand events for a reader.
        for _ in 0..<1024 {
            let frame: [UInt8]
            do throws(DriverError) {
                frame = try channel.receive(limit: 64, until: now)
            } catch {
                // The kernel has the whole dump ready, so having to wait means that it has ended.
                if error.code == .timedOut || error.code == .closed { break }
                throw error
            }
            guard let event = RfkillEvent(parsing: frame) else {
                throw DriverError(
                    .malformed, subject: Endpoint.rfkill.description,
                    detail: "an event of \(frame.count) bytes instead of 8")
            }
            guard event.type == RfkillEvent.bluetooth else { continue }
            found[event.number] =
                event.operation == RfkillEvent.removed
                ? nil : RfkillSwitch(number: event.number, name: nil, soft: event.soft, hard: event.hard)
        }
        return Array(found.values)
    }

    private static func listed(_ names: [String], in world: any World) -> RfkillSwitches {
        var result = RfkillSwitches([])
        for name in names {
            do throws(DriverError) {
                if let entry = try entry(name, in: world) { result.list.append(entry) }
            } catch {
                // Otherwise it was removed after it was listed.
                let hasGone = error.errno == .noSuchFileOrDirectory || error.errno == .operationNotSupportedByDevice
                if !hasGone { result.failure = error }
            }
        }
        return RfkillSwitches(result.list, failure: result.failure)
    }

    // nil for a radio of another kind.
    private static func entry(_ name: String, in world: any World) throws(DriverError) -> RfkillSwitch? {
        guard name.hasPrefix("rfkill"), let number = UInt32(name.dropFirst(6)) else { return nil }
        let place = folder.appending(name)
        func text(_ attribute: String) throws(DriverError) -> String {
            PeerText.line(try world.contents(of: place.appending(attribute), limit: 4096)) ?? ""
        }
        guard try text("type") == "bluetooth" else { return nil }
        let owner = try? text("name")
        guard let soft = try? text("soft"), let hard = try? text("hard") else {
            // The older attribute: 0 soft blocked, 1 unblocked, 2 hard blocked.
            let state = try text("state")
            return RfkillSwitch(number: number, name: owner, soft: state == "0", hard: state == "2")
        }
        return RfkillSwitch(number: number, name: owner, soft: soft == "1", hard: hard == "1")
    }
}

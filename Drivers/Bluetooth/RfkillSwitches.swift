internal import DriverKit
internal import Readiness
internal import SystemPackage

struct RfkillSwitches: Sendable, Equatable {
    var list: [RfkillSwitch]
    /// Why they could not be read; nil if the list is complete.
    var failure: DriverError?

    init(_ list: [RfkillSwitch], failure: DriverError? = nil) {
        self.list = list.sorted { $0.number < $1.number }
        self.failure = failure
    }

    /// The switches that can keep a controller off: its own, and those of no other controller.
    func reaching(_ controller: String) -> [RfkillSwitch] {
        list.filter { $0.name == controller || $0.name.flatMap(controllerIndex) == nil }
    }

    func own(_ controller: String) -> [RfkillSwitch] { list.filter { $0.name == controller } }
}

extension [RfkillSwitch] {
    /// Why their radio is off, hard before soft; nil if none is blocked.
    var cause: Cause? { compactMap(\.cause).max() }

    var blocked: [RfkillSwitch] { filter { $0.cause != nil } }

    /// Whether any blocks in software, and by hardware; nil if there is none.
    var blocks: (soft: Bool?, hard: Bool?) {
        isEmpty ? (nil, nil) : (contains(where: \.soft), contains(where: \.hard))
    }

    var clause: String {
        let names = blocked.compactMap(\.name)
        let by = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
        switch (contains(where: \.hard), contains(where: \.soft)) {
        case (true, true): return "blocked by a hardware switch, and by rfkill in software\(by)"
        case (true, false): return "blocked by a hardware switch\(by)"
        default: return "blocked by rfkill in software\(by); systemd-rfkill restores a block at boot"
        }
    }
}

// MARK: - Reading them

extension RfkillSwitches {
    private static let folder: FilePath = "/sys/class/rfkill"

    /// Reads the switches from sysfs, which needs no privilege, or else from `/dev/rfkill`.
    ///
    /// `mayOpen` permits asking the device; it is false if nothing may be opened. A rig whose `/sys/class` has no
    /// `rfkill` has no switch; its device is not opened, since that would load the subsystem.
    static func read(
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
    static func events(of channel: any Channel, now: Instant) throws(DriverError) -> [RfkillSwitch] {
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
                throw .malformed("an event of \(frame.count) bytes instead of 8", from: .rfkill)
            }
            guard event.type == RfkillEvent.bluetooth else { continue }
            found[event.state.number] = event.operation == RfkillEvent.removed ? nil : event.state
        }
        return Array(found.values)
    }

    private static func listed(_ names: [String], in world: any World) -> RfkillSwitches {
        var list: [RfkillSwitch] = []
        var failure: DriverError?
        for name in names {
            do throws(DriverError) {
                if let entry = try entry(name, in: world) { list.append(entry) }
            } catch {
                // Otherwise it was removed after it was listed.
                let hasGone = error.errno == .noSuchFileOrDirectory || error.errno == .operationNotSupportedByDevice
                if !hasGone { failure = error }
            }
        }
        return RfkillSwitches(list, failure: failure)
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

/// One rfkill switch of a Bluetooth radio; a radio can have several, its own and those of the platform.
struct RfkillSwitch: Sendable, Equatable {
    var number: UInt32
    /// The controller's name (`hci0`) or the platform's (`ideapad_bluetooth`); nil if only `/dev/rfkill` reported it.
    var name: String?
    var soft: Bool
    var hard: Bool

    /// Why its radio is off, hard before soft; nil if it is not blocked.
    var cause: Cause? { hard ? .hardBlocked : soft ? .softBlocked : nil }

    var evidence: Evidence {
        Evidence(
            path: "/sys/class/rfkill/rfkill\(number)",
            said: "\(name ?? "Bluetooth"): soft \(soft ? "blocked" : "unblocked"), "
                + "hard \(hard ? "blocked" : "unblocked")")
    }
}

/// The index of a controller by its kernel name: `hci0`, but neither `hci0:12` (a connection) nor `hci`.
func controllerIndex(_ name: String) -> UInt16? {
    let digits = name.dropFirst(3)
    guard name.hasPrefix("hci"), !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
        return nil
    }
    return UInt16(digits)
}

struct RfkillEvent: Sendable, Equatable {
    static let bluetooth: UInt8 = 2
    static let removed: UInt8 = 1

    var type: UInt8
    /// What happened: 0 added, 1 removed, 2 changed.
    var operation: UInt8
    /// The switch, whose name an event does not tell.
    var state: RfkillSwitch

    /// Parses an event; nil if it is shorter than its eight bytes.
    ///
    /// Index (4 bytes), type, operation, soft and hard; with kernels from 5.11 on the reasons of a hard block, which
    /// are skipped together with anything that a later kernel appends.
    init?(parsing bytes: [UInt8]) {
        guard let number = bytes.uint32(at: 0), let type = bytes.byte(at: 4), let operation = bytes.byte(at: 5),
            let soft = bytes.byte(at: 6), let hard = bytes.byte(at: 7)
        else { return nil }
        self.type = type
        self.operation = operation
        state = RfkillSwitch(number: number, soft: soft != 0, hard: hard != 0)
    }
}

internal import DriverKit
internal import Readiness
internal import SystemPackage

/// The controllers that sysfs lists; none of them is asked.
struct ControllerListing: Sendable, Equatable {
    /// Ascending.
    var indices: [UInt16]
    /// Whether the kernel's Bluetooth is loaded, so that its class exists.
    var hasClass: Bool
    var failure: DriverError?

    /// Lists `/sys/class/bluetooth`, where `hci0` is a controller and `hci0:12` a connection.
    ///
    /// The class is missing if the kernel's Bluetooth is not loaded: that too is a complete listing, an empty one, if
    /// `/sys/class` itself exists.
    init(from world: any World) {
        indices = []
        hasClass = false
        do throws(DriverError) {
            let names = try world.entries(of: "/sys/class/bluetooth")
            indices = names.compactMap(controllerIndex).sorted()
            hasClass = true
        } catch {
            if error.errno != .noSuchFileOrDirectory || (try? world.entries(of: "/sys/class")) == nil {
                failure = error
            }
        }
    }

    /// The physical place of each controller, for those whose address is unknown.
    ///
    /// It is the path below `/sys/devices` of the device that carries the controller, such as
    /// `pci0000:00/0000:00:14.0/usb1/1-7/1-7:1.0`, or `virtual`: without `hciN`, which changes.
    static func places(in world: any World) -> [UInt16: String] {
        var places: [UInt16: String] = [:]
        for path in (try? world.devices(in: "bluetooth")) ?? [] {
            guard let index = path.lastComponent.flatMap({ controllerIndex($0.string) }) else { continue }
            var parts = path.components.map(\.string).dropLast()
            if parts.last == "bluetooth" { parts.removeLast() }
            if parts.starts(with: ["sys", "devices"]) { parts.removeFirst(2) }
            if !parts.isEmpty { places[index] = parts.joined(separator: "/") }
        }
        return places
    }
}

extension ControllerListing {
    /// What was searched, including the interface that was asked; nil if neither could be listed.
    func evidence(beside controllers: ControllerList? = nil) -> Evidence? {
        guard failure == nil || controllers != nil else { return nil }
        var said =
            if let failure {
                "/sys/class/bluetooth cannot be listed: \(failure.reason)"
            } else if !hasClass {
                "the kernel's Bluetooth is not loaded"
            } else {
                "/sys/class/bluetooth lists \(indices.isEmpty ? "no controller" : Self.named(indices))"
            }
        if let controllers {
            let list =
                switch controllers.asked {
                case .hci: "HCI device list"
                case .bluez: "BlueZ's list"
                default: "management index list"
                }
            said +=
                "; \(list) \(controllers.known.isEmpty ? "is empty" : "has \(Self.named(controllers.known.sorted()))")"
        }
        return Evidence(path: "/sys/class/bluetooth", said: said)
    }

    private static func named(_ indices: [UInt16]) -> String {
        let names = indices.prefix(8).map { "hci\($0)" }.joined(separator: ", ")
        return indices.count > 8 ? "\(names) and \(indices.count - 8) more" : names
    }
}

package import Readiness
internal import SystemPackage

extension Endpoint {
    /// A service on the D-Bus system bus.
    ///
    /// A frame sent is a `BusCall`, which is answered by one frame of `BusValues`; or, on a channel of its own,
    /// `BusCall.watch`, after which each frame is a change that the service announced. A service that does not run is not
    /// started.
    package static func systemBus(_ service: String) -> Endpoint {
        Endpoint(systemBusKind, at: service, named: "\(service) on the system bus", isStateless: true)
    }

    package static let systemBusKind = "system-bus"
}

extension DriverError {
    /// No program owns the name of a service on a bus that answers.
    package static func unowned(_ service: String, subject: String) -> DriverError {
        DriverError(
            .refused, errno: .connectionRefused, subject: subject, detail: "no program owns \(service) on the bus")
    }

    /// What would let a service on the system bus answer; empty if a recording does not hold the answer.
    package func busRemedies(of endpoint: Endpoint, service: DaemonUnit, in world: any World) -> [Remedy] {
        let isContainer = ContainerEnvironment.container(in: world) != nil
        switch (code, errno) {
        case (.notRecorded, _), (.cancelled, _): return []
        case (.untried, _): return [.inPlaceOfSubject]
        case (.confined, Errno.noSuchFileOrDirectory):
            if isContainer { return [HostMount.systemBus.remedy] }
            let setting = "BindPaths=\(HostMount.systemBus.rawValue)"
            return [
                world.subject?.remedy(setting: [setting], named: "BindPaths")
                    ?? .advice("set \(setting) in the unit that runs this")
            ]
        case (.confined, _): return [ContainerEnvironment(from: world).remedy(allowing: "AF_UNIX")]
        case (.unsupported, _): return [.command("sudo apt-get install libsystemd0")]
        case _ where self == .unowned(endpoint.address, subject: endpoint.description):
            return service.remedies(.start, in: world)
        case (_, Errno.noSuchFileOrDirectory) where isContainer: return [HostMount.systemBus.remedy]
        case (_, Errno.noSuchFileOrDirectory), (_, Errno.connectionRefused):
            return service.remedies(.startWithBus, in: world)
        case (_, Errno.notPermitted):
            return [
                .advice(
                    "check that a system bus listens at /run/dbus/system_bus_socket and that it knows this user: it did not "
                        + "complete the handshake")
            ]
        case (_, Errno.permissionDenied):
            let place = isContainer ? "the bus's policy on the host" : "the policy of the bus (/etc/dbus-1/system.d)"
            return [.advice("let this user send to \(endpoint.address), in \(place)")]
        case (.closed, _):
            let identity =
                isContainer
                ? "run the container as a user that the host knows, such as --user 65534"
                : "check that this machine knows this user: getent passwd \"$(id -u)\""
            return [.advice("\(identity); the bus closes the connection of a user that it cannot look up")]
                + service.remedies(.restart, in: world)
        default: return service.remedies(.restart, in: world)
        }
    }
}

/// A call of a method without arguments on the system bus, and what is kept of the answer.
///
/// As a frame, words with one space between them: `call OBJECT INTERFACE METHOD INTERFACES PROPERTIES`, the last two lists
/// with commas, or `-` for everything.
package struct BusCall: Sendable, Equatable {
    /// Asks for a service's changes instead of calling a method: those of its objects, and whether it runs.
    package static let watch = Array("watch".utf8)

    package var object: String
    package var interface: String
    package var method: String
    /// Of an answer with objects: the interfaces and properties that are kept, so that nothing else gets into a recording.
    package var interfaces: [String]
    package var properties: [String]

    package init(
        _ object: String, _ interface: String, _ method: String, interfaces: [String] = [], properties: [String] = []
    ) {
        self.object = object
        self.interface = interface
        self.method = method
        self.interfaces = interfaces
        self.properties = properties
    }

    /// The objects of a service with some properties of some interfaces.
    ///
    /// Source: D-Bus specification, "org.freedesktop.DBus.ObjectManager".
    package static func objects(at path: String, interfaces: [String], properties: [String]) -> BusCall {
        BusCall(
            path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", interfaces: interfaces,
            properties: properties)
    }

    package var frame: [UInt8] {
        func list(_ names: [String]) -> String { names.isEmpty ? "-" : names.joined(separator: ",") }
        return Array("call \(object) \(interface) \(method) \(list(interfaces)) \(list(properties))".utf8)
    }

    /// Parses a frame; nil for anything else.
    package init?(_ frame: [UInt8]) {
        let words = String(decoding: frame, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            .map(String.init)
        guard words.count == 6, words[0] == "call", words.allSatisfy({ !$0.isEmpty }) else { return nil }
        func list(_ word: String) -> [String] { word == "-" ? [] : word.split(separator: ",").map(String.init) }
        self.init(words[1], words[2], words[3], interfaces: list(words[4]), properties: list(words[5]))
    }
}

/// The values of an answer on the system bus.
///
/// As a frame, one line for each value: the keys that lead to it (an object's path, an interface, a property; or the key
/// in a dictionary) and then the value, separated by tabs. A value has no control characters.
package struct BusValues: Sendable, Equatable {
    package struct BusValue: Sendable, Equatable {
        package var keys: [String]
        package var text: String

        package init(keys: [String], text: String) {
            self.keys = keys
            self.text = text
        }
    }
    /// The values of one object's interface, by the names of its properties; those of an array with commas between them.
    package struct BusObject: Sendable, Equatable {
        package let path: String
        package var values: [String: String] = [:]
    }

    package static let byteLimit = 256 << 10
    package static let valueLimit = 4096

    package private(set) var values: [BusValue] = []

    /// Parses a frame; values beyond `valueLimit` are left out.
    package init(parsing frame: [UInt8]) {
        for line in frame.split(separator: UInt8(ascii: "\n")).prefix(Self.valueLimit) {
            var fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            let text = fields.removeLast()
            values.append(BusValue(keys: fields, text: text))
        }
    }

    /// The objects that have an interface, in the order of the answer.
    package func objects(with interface: String) -> [BusObject] {
        var objects: [BusObject] = []
        for value in values where value.keys.count == 3 && value.keys[1] == interface {
            if objects.last?.path != value.keys[0] { objects.append(BusObject(path: value.keys[0])) }
            let last = objects.count - 1
            if let others = objects[last].values[value.keys[2]] {
                objects[last].values[value.keys[2]] = "\(others),\(value.text)"
            } else {
                objects[last].values[value.keys[2]] = value.text
            }
        }
        return objects
    }

    package static func frame(of values: [BusValue]) -> [UInt8] {
        Array(values.map { ($0.keys + [$0.text]).joined(separator: "\t") }.joined(separator: "\n").utf8)
    }
}

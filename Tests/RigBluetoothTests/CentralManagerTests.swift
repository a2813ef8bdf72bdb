import DriverKit
import LocalRig
import Readiness
import RigBluetooth
import PhoneKit
import PhoneSupport
import Testing

// Phone code, with only the import changed.

/// Follows the state of Bluetooth.
private final class Radio: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var told: [CBManagerState] = []
    private var central: CBCentralManager?

    var states: [CBManagerState] { lock.withLock { told } }
    var manager: CBCentralManager? { lock.withLock { central } }

    func start(options: [String: Any]? = nil) {
        let made = CBCentralManager(delegate: self, queue: DispatchQueue(label: "radio"), options: options)
        lock.withLock { central = made }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: central.scanForPeripherals(withServices: [CBUUID(string: "180D")], options: nil)
        case .poweredOff, .unauthorized, .unsupported, .resetting, .unknown: break
        @unknown default: break
        }
        lock.withLock { told.append(central.state) }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct CentralManagerTests {
    /// The result of probing one controller.
    private static func controller(_ state: AdapterReading.State, key: String = "00:AA") -> SensorCandidate {
        SensorCandidate(
            Sensor(
                key: key, kind: .bluetoothAdapter, name: "hci0", driver: "bluetooth",
                availability: state == .poweredOn ? .available : .unavailable(.poweredOff), access: .readable,
                reading: .adapter(AdapterReading(state: state))), isOpen: false)
    }

    private static func driver(_ candidates: SensorCandidate...) -> StagedDriver {
        StagedDriver("bluetooth", [.bluetoothAdapter], Enumeration(candidates: candidates, access: .readable))
    }

    private func radio(_ test: TestRig) -> Radio {
        let radio = Radio()
        test.run { radio.start() }
        return radio
    }

    @Test func `every change of power is reported`() throws {
        let driver = Self.driver(Self.controller(.poweredOn))
        let test = try TestRig(drivers: [driver])
        let radio = radio(test)
        #expect(eventually { radio.states == [.poweredOn] })
        for (enumeration, expected) in [
            (Enumeration(candidates: [Self.controller(.poweredOff)], access: .readable), CBManagerState.poweredOff),
            (Enumeration(access: .readable), .unsupported),
            (
                Enumeration(
                    candidates: [Self.controller(.poweredOff), Self.controller(.poweredOn, key: "00:BB")],
                    access: .readable),
                .poweredOn
            ),
            (
                Enumeration(
                    obstacles: [Obstacle(kind: .bluetoothAdapter, cause: .hardBlocked, detail: "a switch")],
                    access: .readable),
                .poweredOff
            ),
            (
                Enumeration(
                    obstacles: [Obstacle(kind: .bluetoothAdapter, cause: .indeterminate, detail: "no answer")],
                    access: .readable),
                .unknown
            ),
        ] {
            driver.set(enumeration)
            #expect(eventually { radio.states.last == expected }, "\(expected)")
        }
        #expect(radio.states == [.poweredOn, .poweredOff, .unsupported, .poweredOn, .poweredOff, .unknown])
    }

    @Test func `creating a manager asks and the answer is reported`() throws {
        let person = Person(.allow)
        let test = try TestRig(
            grants: "bluetooth: not-determined\n", drivers: [Self.driver(Self.controller(.poweredOn))], prompter: person
        )
        #expect(test.run { CBCentralManager.authorization } == .notDetermined)
        #expect(person.asked.isEmpty)
        let radio = radio(test)
        #expect(eventually { radio.states.last == .poweredOn })
        #expect(radio.states.first == .unknown || radio.states == [.poweredOn])
        #expect(person.asked == [.bluetooth])
        #expect(test.run { CBManager.authorization } == .allowedAlways)
    }

    @Test func `denied and restricted are unauthorized`() throws {
        for (grants, policy, expected) in [
            ("bluetooth: denied\n", "", CBManagerAuthorization.denied),
            ("bluetooth: allowed\n", "bluetooth: restricted\n", .restricted),
        ] {
            let test = try TestRig(
                grants: grants, policy: policy, drivers: [Self.driver(Self.controller(.poweredOn))])
            let radio = radio(test)
            #expect(eventually { radio.states == [.unauthorized] })
            #expect(test.run { CBCentralManager.authorization } == expected)
            try test.write("bluetooth: allowed\n", to: "permissions.yaml")
            try test.write("", to: "policy.yaml")
            #expect(eventually { radio.states == [.unauthorized, .poweredOn] })
        }
    }

    @Test func `only a pinned controller counts`() throws {
        let test = try TestRig(
            configuration: "require: {bluetoothAdapter: \"00:BB\"}\n",
            drivers: [Self.driver(Self.controller(.poweredOn), Self.controller(.poweredOff, key: "00:BB"))])
        let radio = radio(test)
        #expect(eventually { radio.states == [.poweredOff] })
    }

    @Test func `scanning reports that it is out of scope`() throws {
        let test = try TestRig(drivers: [Self.driver(Self.controller(.poweredOn))])
        let radio = radio(test)
        #expect(eventually { test.complaints.contains { $0.contains("scanning is out of scope") } })
        #expect(radio.manager?.isScanning == false)
    }

    @Test func `a released manager reports nothing`() throws {
        let driver = Self.driver(Self.controller(.poweredOn))
        let test = try TestRig(drivers: [driver])
        var radio: Radio? = radio(test)
        #expect(eventually { radio?.states == [.poweredOn] })
        weak let manager = radio?.manager
        radio = nil
        #expect(eventually { manager == nil })
        driver.set(Enumeration(access: .readable))
        #expect(eventually { test.state.inventory.sensors.isEmpty })
    }

    @Test func `identifiers are equal by their digits`() {
        #expect(CBUUID(string: "180d") == CBUUID(string: "180D"))
        #expect(CBUUID(string: "180d") != CBUUID(string: "180F"))
        #expect(CBUUID(string: "180D").hash == CBUUID(string: "180d").hash)
    }
}

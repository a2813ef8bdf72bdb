import Foundation
import Support
import Testing

extension SystemBusTests {
    @Test(arguments: [
        (#"<policy context="mandatory"><deny send_destination="org.bluez"/></policy>"#, "unmet", "denied"),
        (#"<policy context="mandatory"><allow send_destination="org.bluez"/></policy>"#, "met", "allowedAlways"),
        (#"<policy context="mandatory"><deny send_destination="org.example"/></policy>"#, "met", "allowedAlways"),
    ])
    func `the bus's policy decides who may use Bluetooth`(rules: String, standing: String, status: String) throws {
        let python = try Self.python
        try MessageBus.run(rules: rules) { address, folder in
            let script = Self.objects("org.bluez", at: "/", "{\(Self.adapter(0, powered: true))}")
            let service = try MessageBus.serve(script, by: python, at: address, in: folder)
            defer { service.kill() }
            let run = try Self.apart(bus: address)
            #expect(try Self.requirement("bluetooth", of: run)["standing"] as? String == standing, "\(run.output)")
            let all = try #require(try run.document()["authorizations"] as? [String: Any])
            let own = try #require(all["bluetooth"] as? [String: Any])
            #expect(own["status"] as? String == status)
            let evidence = try #require(own["evidence"] as? String)
            let said = status == "denied" ? "Rejected send message" : "bluetoothd answered"
            #expect(evidence.contains(said), "\(evidence)")
        }
    }

    @Test func `an empty list of roles is a controller without Low Energy`() throws {
        let python = try Self.python
        try MessageBus.run { address, folder in
            for (roles, standing) in [("dbus.Array([], signature='s')", "unmet"), ("['central']", "met")] {
                let adapter = Self.adapter(0, powered: true)
                    .replacingOccurrences(of: "\"UUIDs\"", with: "\"Roles\": \(roles), \"UUIDs\"")
                let script = Self.objects("org.bluez", at: "/", "{\(adapter)}")
                let service = try MessageBus.serve(script, by: python, at: address, in: folder)
                defer {
                    service.kill()
                    _ = service.wait(30)
                }
                let bluetooth = try Self.requirement("bluetooth", of: try Self.apart(bus: address))
                #expect(bluetooth["standing"] as? String == standing)
                #expect(bluetooth["cause"] as? String == (standing == "met" ? nil : "lowEnergyOff"))
            }
        }
    }
}

import DriverKit
import DriverTesting
import Pedometer
import Testing

@Suite struct ContractTests {
    @Test func `the driver keeps the contract of every driver`() {
        let contract = DriverContract(
            PedometerDriver(at: HostPort(host: "127.0.0.1", port: 7777)),
            in: [
                "a step counter": { ScriptedWorld(["WHO": "PEDOMETER serial=SN1 owner=Anna\n", "COUNT": "4711\n"]) },
                "another peer": { ScriptedWorld(["WHO": "220 mail.example.org\n"]) },
            ])
        #expect(contract.run() == [])
    }
}

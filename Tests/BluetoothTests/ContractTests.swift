import DriverKit
import DriverTesting
import Support
import Testing
@testable import Bluetooth

@Suite struct ContractTests {
    @Test func `the driver keeps the contract`() {
        let contract = DriverContract(
            BluetoothDriver(),
            in: [
                "two controllers": {
                    var rig = Rig()
                    rig.list("hci0")
                    rig.list("hci1", at: "virtual")
                    rig.addSwitch(0, "hci0", soft: true)
                    rig.answer([(0, 0), (1, 0)], with: [Packets.information(0), Packets.information(1)])
                    return rig.world
                },
                "no controller": {
                    var rig = Rig()
                    rig.answer([])
                    return rig.world
                },
            ])
        #expect(contract.run() == [])
    }
}

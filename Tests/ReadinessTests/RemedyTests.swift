import Foundation
import Readiness
import Testing

@Suite struct RemedyTests {
    private static let all: [Remedy] = [
        .command("sudo rfkill unblock bluetooth"), .command("sudo usermod -aG iio me", note: "then log in again"),
        .advice("plug it in again"),
        .option(.timeout(9)), .option(.waitForFix(60)), .option(.maximumAge(2)), .option(.allowSimulated),
        .option(.depth(.state)), .option(.gpsd), .option(.context), .option(.again), .option(.recordAgain),
        .option(.asRoot), .option(.onHost), .option(.inGroup("iio")), .option(.withoutCache),
        .permission(PermissionChange(.request, .location, always: true), file: nil),
        .permission(PermissionChange(.grant, .location, always: false, fullAccuracy: true), file: "'my grants.yaml'"),
        .permission(PermissionChange(.grant, .motion), file: nil),
    ]

    @Test(arguments: all) func `a remedy survives being written and read`(remedy: Remedy) throws {
        let data = try JSONEncoder().encode([remedy])
        #expect(try JSONDecoder().decode([Remedy].self, from: data) == [remedy])
    }

    @Test(arguments: [
        "[[]]", #"[["command"]]"#, #"[["option","depth","deep"]]"#, #"[["option","timeout","soon"]]"#, #"[["option"]]"#,
        #"[["permission","grant","sound","",""]]"#, #"[["option","again","2"]]"#, #"[[1]]"#,
    ])
    func `what is no remedy is refused`(text: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode([Remedy].self, from: Data(text.utf8)) }
    }

    @Test func `no remedy in words names an option of the command`() {
        for remedy in Self.all { #expect(!remedy.words.contains("--"), "\(remedy)") }
    }

    @Test(arguments: [
        (Remedy.command("sudo gpsdctl add /dev/ttyACM0"), ["root", "package:gpsd"]),
        (.command("bluetoothctl power on"), ["package:bluez"]),
        (.command("sudo setfacl -m u:me:r /dev/iio:device0"), ["root", "package:acl"]),
        (.advice("sudo is not needed"), []),
    ])
    func `a command says what it needs`(remedy: Remedy, needs: [String]) {
        #expect(remedy.needs == needs)
    }
}

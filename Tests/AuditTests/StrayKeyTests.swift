import rigready
import Readiness
import Testing

/// Keys that no service reads.
@Suite struct StrayKeyTests {
    private func findings(_ key: String, without right: String? = nil) throws -> [AuditFinding] {
        var app = Sample.app
        app.information?[key] = .text("So that trips are found.")
        if let right { app.information?[right] = nil }
        return try Sample.findings(on: app).filter { $0.key == key }
    }

    @Test(arguments: [
        ("NSMotionUsageDescripton", "NSMotionUsageDescription"),
        ("nsMotionUsageDescription", "NSMotionUsageDescription"),
        ("NSMotionUseageDescription", "NSMotionUsageDescription"),
        ("NSLocationWhenInUsageDescription", "NSLocationWhenInUseUsageDescription"),
        ("NSHealthSharedUsageDescription", "NSHealthShareUsageDescription"),
        ("UIBackgroundMode", "UIBackgroundModes"),
    ])
    func `a misspelled key is an error where the right one is missing`(key: String, right: String) throws {
        let alone = try #require(try findings(key, without: right).first)
        #expect(alone.severity == .error)
        #expect(alone.reason == "misspelt: use \(right)")
        #expect(try findings(key).map(\.severity) == [.warning])
    }

    /// The two of the vendor's example, and others that are shown as types there.
    @Test(arguments: [
        ("CMMotionActivity", "NSMotionUsageDescription"),
        ("CLAccuracyAuthorization", "NSLocationTemporaryUsageDescriptionDictionary"),
        ("CBCentralManager", "NSBluetoothAlwaysUsageDescription"),
    ])
    func `the name of a type is not a key`(name: String, meant: String) throws {
        let found = try findings(name)
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.reason.contains("the name of a type") == true)
        #expect(found.first?.reason.hasSuffix("use \(meant)") == true)
        #expect(found.first?.source.contains("Permissions Handling: Motion Permission, .plist") == true)
    }

    @Test(arguments: [
        "NSSiriUsageDescription", "NSCameraUsageDescription", "NSMicrophoneUsageDescription",
        "NSContactsUsageDescription", "NSHomeKitUsageDescription", "NSUserTrackingUsageDescription",
        "NSIdentityUsageDescription", "NSFocusStatusUsageDescription", "CFBundleName", "UILaunchScreen",
        "NSAppTransportSecurity", "NSSensorKitUsageDescription",
    ])
    func `unrelated keys are ignored`(key: String) throws { #expect(try findings(key) == []) }

    @Test func `an unknown usage description is reported`() throws {
        let found = try findings("NSTeleportationUsageDescription")
        #expect(found.map(\.severity) == [.warning])
    }
}

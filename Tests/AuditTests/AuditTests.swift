import rigready
import Readiness
import Testing

/// Each rule of the table, on an app that lacks only that.
@Suite struct AuditTests {
    private func findings(
        for services: [Service]? = nil, flags: OptionFlags = [], version: String = "2.14",
        minimumIOS: IOSVersion? = nil, purposes: [String] = [], _ change: (inout AppDeclarations) -> Void = { _ in }
    ) throws -> [AuditFinding] {
        var app = Sample.app
        change(&app)
        return try Sample.findings(
            on: app, for: services, flags: flags, version: version, minimumIOS: minimumIOS, purposes: purposes)
    }

    @Test func `a complete app has no findings`() throws {
        #expect(try findings() == [])
        #expect(try findings(flags: .all) == [])
        for service in Service.allCases { #expect(try findings(for: [service]) == []) }
    }

    @Test(
        arguments: [
            ("NSLocationWhenInUseUsageDescription", [.driving, .places]), ("NSMotionUsageDescription", [.driving]),
            ("NSLocationAlwaysAndWhenInUseUsageDescription", [.driving]), ("NSLocationAlwaysUsageDescription", []),
            ("NSBluetoothAlwaysUsageDescription", [.deviceDiscovery]), ("NSHealthShareUsageDescription", [.health]),
            ("NSHealthUpdateUsageDescription", [.health]),
        ] as [(String, [Service])])
    func `each of the seven texts is reported if missing`(key: String, asking: [Service]) throws {
        let services: [Service] = [.deviceDiscovery, .places, .health]
        for (value, word) in [
            (nil, "missing"), (.text(""), "empty"), (.text(" \n"), "empty"), (.boolean(true), "true, not a text"),
        ] as [(PropertyList?, String)] {
            let found = try findings(for: services) { $0.information?[key] = value }
            #expect(found.map(\.key) == [key])
            let finding = try #require(found.first)
            #expect(finding.severity == .error)
            #expect(finding.services.members == asking)
            #expect(finding.reason.hasPrefix(word + ": "))
            #expect(finding.reason.contains("the store refuses"))
            #expect(finding.source.contains("Permissions Handling: Required Permissions"))
        }
        // The store requires it for any service.
        let found = try findings(for: [.assistanceCall]) { $0.information?[key] = nil }
        #expect(found.map(\.key) == [key] && found.first?.severity == .error)
    }

    @Test func `the reason names the service that asks`() throws {
        let one = try findings(for: [.walking]) { $0.information?["NSMotionUsageDescription"] = nil }
        #expect(
            one.first?.reason
                == "missing: walking asks for motion, and the store refuses an app with the SDK without it")
        let three = try findings(for: [.walking, .cycling, .driving]) {
            $0.information?["NSMotionUsageDescription"] = nil
        }
        #expect(three.first?.reason.contains("driving, cycling and walking ask for motion") == true)
    }

    @Test func `an optional requirement needs its text too`() throws {
        let found = try findings(for: [.assistanceCall]) {
            $0.information?["NSLocationWhenInUseUsageDescription"] = nil
        }
        #expect(found.first?.services.members == [.assistanceCall])
    }

    @Test func `a parent is required with its child`() throws {
        let found = try findings(for: [.distractionFreeDriving]) { $0.information?["NSMotionUsageDescription"] = nil }
        #expect(found.first?.services.members == [.driving])
    }

    @Test(arguments: [("elf zeichen", true), ("zwölf zeiche", false), ("", true)])
    func `health texts have twelve characters`(text: String, isShort: Bool) throws {
        for key in ["NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription"] {
            for services in [[.health], [.places]] as [[Service]] {
                let found = try findings(for: services) { $0.information?[key] = .text(text) }
                #expect(found.map(\.key) == (isShort ? [key] : []))
                if text.count == 11 { #expect(found[0].reason.hasPrefix("11 characters long, expected at least 12")) }
            }
        }
    }

    @Test func `the newest rules need health texts only for the health service`() throws {
        func without(_ services: [Service], _ version: String) throws -> [String] {
            try findings(for: services, version: version) {
                $0.information?["NSHealthShareUsageDescription"] = nil
                $0.information?["NSHealthUpdateUsageDescription"] = nil
            }.map(\.key)
        }
        let both = ["NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription"]
        #expect(try without([.places], "2.14") == both)
        #expect(try without([.places], "2.15") == both)
        #expect(try without([.health], "2.15") == both)
        // Health came with 2.14, so no older SDK has code that reads it.
        for version in ["2.13", "2.4", "2.0", "1.x"] { #expect(try without([.driving], version) == []) }
    }

    /// Since 2.15 the store requires the health texts of an app with the health add-on only; by default that is unknown.
    @Test(
        arguments: [
            (nil, [AuditFinding.Severity.warning, .warning]), (true, [.error, .error]), (false, []),
        ] as [(Bool?, [AuditFinding.Severity])])
    func `health texts follow what the app is linked with`(
        linksHealth: Bool?, severities: [AuditFinding.Severity]
    ) throws {
        let found = try findings(for: [.places], version: "2.15") {
            $0.linksHealth = linksHealth
            $0.information?["NSHealthShareUsageDescription"] = nil
            $0.information?["NSHealthUpdateUsageDescription"] = nil
        }
        #expect(found.map(\.severity) == severities)
        if linksHealth == nil { #expect(found[0].reason.contains("unless the app is built without MoveSDKHealth")) }
    }

    @Test func `older rules do not ask for a text of what came later`() throws {
        func without(_ key: String, _ version: String) throws -> [String] {
            try findings(for: [.driving], version: version, minimumIOS: IOSVersion(12)) {
                $0.information?[key] = nil
                $0.information?["NSBluetoothPeripheralUsageDescription"] = .text("To find devices.")
            }.map(\.key)
        }
        let always = "NSLocationAlwaysUsageDescription"
        for key in Sample.texts where !key.contains("Health") && !key.contains("Bluetooth") {
            // Only iOS 10 and older ask with that text, and the page of 1.x has no list of the store's.
            #expect(try without(key, "1.x") == (key == always ? [] : [key]))
        }
        for (minimum, keys) in [(IOSVersion(10), [always]), (IOSVersion(11), []), (nil, [])] {
            let found = try findings(for: [.driving], version: "1.x", minimumIOS: minimum) {
                $0.information?[always] = nil
            }
            #expect(found.map(\.key) == keys)
        }
        #expect(try without("NSBluetoothAlwaysUsageDescription", "1.x") == [])
        #expect(try without("NSBluetoothAlwaysUsageDescription", "2.0") == ["NSBluetoothAlwaysUsageDescription"])
        let peripheral = try findings(for: [.driving], version: "1.x", minimumIOS: IOSVersion(12))
        #expect(peripheral == [])
    }

    @Test func `a misspelt key that nothing needs is a warning`() throws {
        func misspelt(_ version: String) throws -> [AuditFinding.Severity] {
            try findings(for: [.places], version: version) {
                $0.information?["NSHealthShareUsageDescription"] = nil
                $0.information?["NSHealthSharedUsageDescription"] = .text("So that steps are read.")
            }.filter { $0.key == "NSHealthSharedUsageDescription" }.map(\.severity)
        }
        #expect(try misspelt("2.15") == [.warning])
        #expect(try misspelt("2.14") == [.error])
    }

    @Test(arguments: ["AppleTVOS", "AppleTVSimulator", "XROS", "XRSimulator"])
    func `an app for tvOS or visionOS is not asked for location always`(platform: String) throws {
        func findings(on platforms: [String]) throws -> [String] {
            try self.findings(for: [.driving, .walking]) {
                $0.information?["CFBundleSupportedPlatforms"] = .list(platforms.map { .text($0) })
                for key in ["NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription"] {
                    $0.information?[key] = nil
                }
                $0.information?["UIBackgroundModes"] = nil
            }.map(\.key)
        }
        #expect(try findings(on: [platform]) == [])
        let always = [
            "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription", "UIBackgroundModes",
        ]
        #expect(try findings(on: ["iPhoneOS"]) == always)
        #expect(try findings(on: [platform, "iPhoneOS"]) == always)
        // While in use it needs its text on every platform.
        let use = try self.findings(for: [.places]) {
            $0.information?["CFBundleSupportedPlatforms"] = .list([.text(platform)])
            $0.information?["NSLocationWhenInUseUsageDescription"] = nil
        }
        #expect(use.map(\.key) == ["NSLocationWhenInUseUsageDescription"])
    }

    @Test func `legacy keys depend on the oldest iOS`() throws {
        let always = "NSLocationAlwaysUsageDescription"
        for (version, isNamed) in [("10.3", true), ("11.0", false), ("9", true)] {
            let found = try findings(for: [.driving], minimumIOS: IOSVersion(version)) {
                $0.information?[always] = nil
                $0.information?["NSBluetoothPeripheralUsageDescription"] = .text("To find devices.")
            }
            #expect(found.map(\.key) == [always])
            #expect(found.first?.reason.contains("driving asks for location always on iOS") == isNamed, "\(version)")
        }
        let peripheral = "NSBluetoothPeripheralUsageDescription"
        for (version, found) in [("13.0", [peripheral]), ("12.4", [peripheral]), ("13.1", []), ("17", [])] {
            #expect(try findings(for: [.deviceDiscovery], minimumIOS: IOSVersion(version)).map(\.key) == found)
            // The store requires it whether device discovery is used or not.
            #expect(try findings(for: [.places], minimumIOS: IOSVersion(version)).map(\.key) == found)
        }
        // The app's own value is used if the call names none.
        let own = try findings(for: [.deviceDiscovery]) { $0.information?["MinimumOSVersion"] = .text("12.0") }
        #expect(own.map(\.key) == [peripheral])
        let unknown = try findings(for: [.deviceDiscovery]) {
            $0.information?["MinimumOSVersion"] = .text("$(IPHONEOS_DEPLOYMENT_TARGET)")
        }
        #expect(unknown == [])
        let empty = try findings(for: [.deviceDiscovery]) { $0.information?[peripheral] = .text("") }
        #expect(empty.map(\.severity) == [.warning])
    }

    @Test func `a text that the build fills in is unknown`() throws {
        let found = try findings(for: [.health]) {
            $0.information?["NSHealthShareUsageDescription"] = .text("$(HEALTH)")
        }
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.reason.hasPrefix("$(HEALTH) is set by the build") == true)
    }

    // MARK: Other than the texts

    @Test func `purposes of full accuracy are looked up`() throws {
        let key = "NSLocationTemporaryUsageDescriptionDictionary"
        #expect(try findings(for: [.places], purposes: ["way"]).map(\.key) == ["\(key).way"])
        func with(_ value: PropertyList, purposes: [String] = ["way"]) throws -> [AuditFinding] {
            try findings(for: [.places], purposes: purposes) { $0.information?[key] = value }
        }
        #expect(try with(.dictionary(["way": .text("To show the way.")])) == [])
        #expect(try with(.dictionary(["wya": .text("To show the way.")])).map(\.key) == ["\(key).way"])
        #expect(try with(.dictionary(["way": .text("")])).map(\.reason) == ["empty"])
        #expect(try with(.dictionary(["way": .list([])])).map(\.reason) == ["a list, not a text"])
        #expect(try with(.text("To show."), purposes: []).map(\.severity) == [.error])
        #expect(try with(.dictionary([:]), purposes: []).map(\.severity) == [.warning])
    }

    @Test func `reduced accuracy by default is reported where precise location matters`() throws {
        func reduced(_ services: [Service], _ value: PropertyList = .boolean(true)) throws -> [AuditFinding] {
            try findings(for: services) { $0.information?["NSLocationDefaultAccuracyReduced"] = value }
        }
        #expect(try reduced([.driving]).map(\.severity) == [.error])
        #expect(try reduced([.assistanceCall]).map(\.severity) == [.warning])
        #expect(try reduced([.walking]) == [])
        #expect(try reduced([.driving], .boolean(false)) == [])
    }

    @Test func `the background mode follows background location`() throws {
        func modes(_ value: PropertyList?, _ flags: OptionFlags = []) throws -> [AuditFinding] {
            try findings(for: [.driving, .places], flags: flags) { $0.information?["UIBackgroundModes"] = value }
        }
        let missing = try modes(nil)
        #expect(missing.map(\.key) == ["UIBackgroundModes"])
        #expect(missing.first?.severity == .warning)
        #expect(missing.first?.services.members == [.driving])
        #expect(try modes(nil, .backgroundLocationPermissionMandatory).map(\.severity) == [.error])
        #expect(try modes(.list([.text("audio")])).first?.reason.hasPrefix("it does not list \"location\";") == true)
        #expect(
            try modes(.list([.text("Locations")])).first?.reason
                .hasPrefix("it does not list \"location\", but \"Locations\"") == true)
        #expect(try modes(.text("location")).first?.reason.hasPrefix("a text, not a list") == true)
        #expect(try findings(for: [.places]) { $0.information?["UIBackgroundModes"] = nil } == [])
    }

    @Test func `macOS has its own key`() throws {
        let key = "NSLocationUsageDescription"
        let stray = try findings(for: [.places]) { $0.information?[key] = .text("To find you.") }
        #expect(stray.map(\.reason) == ["only macOS reads it, and this is not an app for macOS"])
        for (name, value) in [
            ("CFBundleSupportedPlatforms", .list([.text("MacOSX")])), ("LSMinimumSystemVersion", .text("13.0")),
        ] as [(String, PropertyList)] {
            let missing = try findings(for: [.places]) { $0.information?[name] = value }
            #expect(missing.map(\.key) == [key] && missing.map(\.severity) == [.warning])
            let there = try findings(for: [.places]) {
                $0.information?[name] = value
                $0.information?[key] = .text("To find you.")
            }
            #expect(there == [])
        }
    }

    @Test func `health needs its entitlements`() throws {
        let access = "com.apple.developer.healthkit"
        let delivery = access + ".background-delivery"
        #expect(try findings(for: [.health]) { $0.entitlements?[access] = nil }.map(\.severity) == [.error])
        #expect(try findings(for: [.health]) { $0.entitlements?[delivery] = nil }.map(\.severity) == [.warning])
        let wrong = try findings(for: [.health]) { $0.entitlements?[access] = .text("YES") }
        #expect(wrong.map(\.reason) == ["a text, not true: without it the app has no access to HealthKit"])
        #expect(try findings(for: [.driving]) { $0.entitlements = [:] } == [])
        let unknown = try findings(for: [.health]) { $0.entitlements = nil }
        #expect(unknown.map(\.severity) == [.warning] && unknown[0].reason.hasPrefix("cannot tell"))
        // Only entitlements: the texts cannot be missing.
        #expect(try findings(for: [.health]) { $0.information = nil } == [])
    }

    @Test func `a version is one to three numbers of at most four digits`() {
        #expect(IOSVersion("13") == IOSVersion(13) && IOSVersion("13.1.2") == IOSVersion(13, 1))
        #expect(IOSVersion("1234")?.major == 1234)
        for text in ["", "12345", "13.", "13.1.2.3", "-1", "x"] { #expect(IOSVersion(text) == nil, "\(text)") }
    }
}

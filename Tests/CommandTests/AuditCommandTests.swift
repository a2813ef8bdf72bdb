import Foundation
import Testing

/// `audit` of files, by the command.
@Suite struct AuditCommandTests {
    /// An example in the shape of the vendor's: two texts are empty, two keys are names of types.
    private static let example = [
        "NSBluetoothPeripheralUsageDescription": "", "NSBluetoothAlwaysUsageDescription": "",
        "CMMotionActivity": "Trips.", "CLAccuracyAuthorization": "Trips.", "NSMotionUsageDescription": "Trips.",
        "NSLocationAlwaysUsageDescription": "Trips.", "NSLocationAlwaysAndWhenInUseUsageDescription": "Trips.",
        "NSLocationWhenInUseUsageDescription": "Trips.",
    ]

    private func data(_ list: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    }

    /// Writes files into a folder and passes its path to the body.
    private func withFiles(_ files: [String: Data], _ body: (String) throws -> Void) throws {
        try Tool.withFolder { folder in
            for (name, data) in files {
                let file = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            try body(folder.path)
        }
    }

    private func findings(_ words: String...) throws -> (status: Int32, lines: [[String: Any]]) {
        let run = try Program.run(["audit"] + words + ["--format", "json"])
        let document = try run.document()
        #expect(Set(document.keys) == ["schema", "rules", "findings"])
        #expect(document["schema"] as? String == "rigready.audit/1")
        return (run.status, try #require(document["findings"] as? [[String: Any]]))
    }

    @Test func `the document is that of the contract`() throws {
        try withFiles(["Info.plist": data(Self.example)]) { folder in
            let found = try findings("\(folder)/Info.plist", "--service", "driving", "--service", "discovery")
            #expect(found.status == 1)
            for line in found.lines {
                #expect(Set(line.keys) == ["key", "severity", "services", "reason"])
                #expect((line["reason"] as? String)?.contains(/\((MOVE SDK|Core Location), .+\)$/) == true)
            }
            let told = found.lines.map { "\($0["severity"] ?? "") \($0["key"] ?? "") \($0["services"] ?? "")" }
            #expect(
                told == [
                    "error NSBluetoothAlwaysUsageDescription [\"driving.deviceDiscovery\"]",
                    "warning NSBluetoothPeripheralUsageDescription []",
                    "warning NSHealthShareUsageDescription []", "warning NSHealthUpdateUsageDescription []",
                    "warning UIBackgroundModes [\"driving\"]",
                    "warning CLAccuracyAuthorization [\"driving\"]", "warning CMMotionActivity [\"driving\"]",
                ])
        }
    }

    @Test func `binary and XML give the same result`() throws {
        try withFiles(["x.plist": data(Self.example), "b.plist": data(Self.example, .binary)]) { folder in
            let xml = try Program.run("audit", "\(folder)/x.plist", "--format", "json")
            let binary = try Program.run("audit", "\(folder)/b.plist", "--format", "json")
            #expect(xml.status == 1)
            #expect(xml.output == binary.output)
        }
    }

    private static var whole: [String: Any] {
        var keys: [String: Any] = Dictionary(
            uniqueKeysWithValues: [
                "NSBluetoothAlwaysUsageDescription", "NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription",
                "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription",
                "NSLocationWhenInUseUsageDescription", "NSMotionUsageDescription",
            ].map { ($0, "So that trips are found.") })
        keys["UIBackgroundModes"] = ["location"]
        return keys
    }
    private static var health: [String: Any] {
        ["com.apple.developer.healthkit": true, "com.apple.developer.healthkit.background-delivery": true]
    }

    @Test func `an app folder and its entitlements are found`() throws {
        let files = try [
            "Phone.app/Info.plist": data(Self.whole, .binary), "Phone.entitlements": data(Self.health),
            "Old.app/Info.plist": data(Self.whole), "Old.app/archived-expanded-entitlements.xcent": data(Self.health),
            "Mac.app/Contents/Info.plist": data(Self.whole.merging(["LSMinimumSystemVersion": "13.0"]) { $1 }),
            "Empty.app/PkgInfo": Data(),
        ]
        try withFiles(files) { folder in
            let alone = try findings("\(folder)/Phone.app")
            #expect(alone.status == 0)
            #expect(alone.lines.map { $0["key"] as? String } == ["com.apple.developer.healthkit"])
            let both = try findings("\(folder)/Phone.app/", "--entitlements", "\(folder)/Phone.entitlements")
            #expect(both.status == 0 && both.lines.isEmpty)
            #expect(try findings("\(folder)/Old.app").lines.isEmpty)
            #expect(
                try findings("\(folder)/Mac.app", "--service", "places").lines.map { $0["key"] as? String }
                    == ["NSLocationUsageDescription"])
            let empty = try Program.run("audit", "\(folder)/Empty.app")
            #expect(empty.status == 66)
            #expect(empty.complaints.contains("expected an .app folder with an Info.plist in it"))
            // Only entitlements.
            #expect(try findings("\(folder)/Phone.entitlements").lines.isEmpty)
            let twice = try Program.run(
                "audit", "\(folder)/Phone.entitlements", "--entitlements", "\(folder)/Phone.entitlements")
            #expect(twice.status == 64)
        }
        try withFiles(["App.entitlements": data([String: Any]())]) { folder in
            let found = try findings("\(folder)/App.entitlements", "--service", "health")
            #expect(found.status == 1)
            #expect(found.lines.map { $0["severity"] as? String } == ["error", "warning"])
        }
    }

    @Test func `the configuration gives the required services`() throws {
        let configuration = """
            services: [places]
            purposes: {location: To find stops., preciseLocation: {way: To show the way.}}
            """
        try withFiles(["Info.plist": data(Self.whole), "app.yaml": Data(configuration.utf8)]) { folder in
            let found = try findings("\(folder)/Info.plist", "--config", "\(folder)/app.yaml")
            #expect(found.status == 1)
            #expect(
                found.lines.map { $0["key"] as? String } == ["NSLocationTemporaryUsageDescriptionDictionary.way"])
            let stray = try Program.run(
                "audit", "\(folder)/Info.plist", "--config", "\(folder)/app.yaml", "--service", "driving")
            #expect(stray.status == 64)
        }
    }

    @Test func `without a version the newest SDK decides, which asks for health only with its service`() throws {
        let texts = Self.whole.filter { !$0.key.contains("Health") }
        try withFiles(["Info.plist": data(texts)]) { (folder) throws in
            let path = "\(folder)/Info.plist"
            let health = ["NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription"]
            func errors(_ words: String...) throws -> [String?] {
                let run = try Program.run(["audit", path, "--format", "json"] + words)
                let lines = try #require(try run.document()["findings"] as? [[String: Any]])
                let errors = lines.filter { $0["severity"] as? String == "error" }
                #expect(run.status == (errors.isEmpty ? 0 : 1))
                return errors.map { $0["key"] as? String }
            }
            #expect(try errors("--service", "Public Transport stops") == [])
            #expect(try errors("--service", "health") == health)
            #expect(try errors("--service", "places", "--rules", "2.14.0") == health)
            #expect(try errors("--service", "places", "--rules", "2.13") == [])
            #expect(try errors("--service", "poi", "--rules", "1.x") == [])
            #expect(
                try errors("--service", "places", "--minimum-ios", "12") == ["NSBluetoothPeripheralUsageDescription"])
        }
    }

    @Test func `options change the required services`() throws {
        var keys = Self.whole
        keys["UIBackgroundModes"] = nil
        try withFiles(["Info.plist": data(keys)]) { folder in
            let path = "\(folder)/Info.plist"
            #expect(try findings(path, "--service", "driving").status == 0)
            #expect(try findings(path, "--service", "driving", "--background-location-mandatory").status == 1)
            let old = try findings(path, "--service", "discovery", "--minimum-ios", "13.0")
            #expect(old.lines.contains { $0["key"] as? String == "NSBluetoothPeripheralUsageDescription" })
            for words in [["--minimum-ios", "old"], ["--service", "drivng"], ["--rules", "9"]] {
                #expect(try Program.run(["audit", path] + words).status == 64)
            }
        }
    }

    @Test func `an invalid property list exits with 66 and its place`() throws {
        let xml = try data(Self.whole)
        let binary = try data(Self.whole, .binary)
        let files = try [
            "cut.plist": xml.prefix(400), "cut.bin": binary.prefix(200), "list.plist": data(["a"]),
            "words.plist": Data("hello".utf8),
            "deep.plist": Data(("<plist>" + String(repeating: "<array>", count: 200_000)).utf8),
        ]
        try withFiles(files) { folder in
            for (name, expected) in [
                ("cut.plist", "cut.plist:"), ("cut.bin", "cut.bin: byte "),
                ("words.plist", "words.plist:1:1: expected"),
                ("list.plist", "list.plist: expected a dictionary, found a list"),
                ("deep.plist", "deep.plist:1:449: expected at most 64 levels"),
                ("none.plist", "none.plist: "),
            ] {
                for format in ["json", "text"] {
                    let run = try Program.run("audit", "\(folder)/\(name)", "--format", format)
                    #expect(run.status == 66, "\(name)")
                    #expect(run.output == "")
                    #expect(run.complaints.hasPrefix("rigready: \(folder)/\(expected)"), "\(run.complaints)")
                    #expect(run.complaints.contains("expected "))
                }
            }
        }
    }

    @Test func `the cases are those of the keys`() throws {
        try withFiles(["Info.plist": data(Self.example)]) { folder in
            let run = try Program.run(
                "audit", "\(folder)/Info.plist", "--service", "driving", "--format", "junit")
            #expect(run.status == 1)
            let file = try JUnitFile(run.output)
            #expect(file.counts["failures"] == 1)
            #expect(try file.named("NSMotionUsageDescription").result == "passed")
            let bluetooth = try file.named("NSBluetoothAlwaysUsageDescription")
            #expect(bluetooth.result == "failure" && bluetooth.type == "error")
            #expect(bluetooth.text.contains("MOVE SDK, Permissions Handling: Required Permissions"))
            let type = try file.named("CMMotionActivity")
            #expect(type.result == "passed" && type.text.contains("the name of a type"))
            #expect(type.className == "rigready.audit")
            let tap = try Program.run("audit", "\(folder)/Info.plist", "--format", "tap")
            #expect(tap.output.contains("not ok") && tap.output.contains("NSHealthShareUsageDescription"))
        }
    }

    @Test func `the text names the service and the place`() throws {
        try withFiles(["Info.plist": data(Self.example)]) { folder in
            let run = try Program.run("audit", "\(folder)/Info.plist", "--service", "discovery")
            #expect(run.status == 1)
            #expect(run.output.replacing("\n", with: " ").contains("rules 2.15, requirement table 2.14"))
            #expect(run.output.contains("1 error, 6 warnings"))
            #expect(run.output.contains("✗ NSBluetoothAlwaysUsageDescription"))
            #expect(run.output.contains("empty: device discovery asks for Bluetooth"))
        }
    }

    @Test func `a dangling link is not passed over`() throws {
        try withFiles(["Real.plist": data(Self.example)]) { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/Contents", withIntermediateDirectories: false)
            try FileManager.default.moveItem(atPath: "\(folder)/Real.plist", toPath: "\(folder)/Contents/Info.plist")
            #expect(try Program.run("audit", "\(folder)", "--service", "walking").status != 66)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/Info.plist", withDestinationPath: "\(folder)/none")
            let run = try Program.run("audit", "\(folder)", "--service", "walking")
            #expect(run.status == 66 && run.complaints.contains("\(folder)/Info.plist: No such file"))
        }
    }
}

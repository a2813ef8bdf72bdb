import LocalRig
import Measurement
import Readiness
import SystemPackage
import Testing

/// The configuration in a text.
func configuration(_ text: String, rules: RulesVersion? = nil) throws(ConfigurationError) -> RigConfiguration {
    try RigConfiguration(parsing: Array(text.utf8), file: "rig.yaml", rules: rules)
}

/// The error that a configuration gives, on its one line.
func refusal(_ text: String, rules: String? = nil) -> String? {
    do {
        _ = try configuration(text, rules: rules.flatMap { RulesVersion($0) })
        return nil
    } catch {
        return error.description
    }
}

extension ServiceSet {
    static func of(_ services: Service...) -> Self { Self(services.map { ServiceSet($0) }) }
}

@Suite("Configurations")
struct ConfigurationTests {
    static let everything = """
        services:
          - driving: [distractionFreeDriving, deviceDiscovery]
          - walking
          - walking.location
          - places
        options:
          motionPermissionMandatory: true
          backgroundLocationPermissionRequired: false
          useBackendConfig: true
          deviceDiscovery: {startDelay: 180, duration: 12.5, interval: 600, stopScanOnFirstDiscovered: true}
        licence: [driving, dfd, walking, walkingLocation]
        require: {gyroscope: i2c-1/1-0068, locationReceiver: "test receiver"}
        rules: 2.14
        purposes:
          location: To recognise trips.
        """

    @Test func `accepted findings are read in their order`() throws {
        let read = try configuration(
            """
            accept:
              - {id: gyroscope.absent, reason: ordered, until: 2026-12-31}
              - {id: location, reason: indoors, until: 2026-01-31}
            """)
        #expect(read.accepted.map(\.id) == ["gyroscope.absent", "location"])
        #expect(read.accepted.map(\.reason) == ["ordered", "indoors"])
    }

    @Test(arguments: [(1, true), (300, true), (301, false)])
    func `the address of a broker has at most three hundred bytes`(count: Int, isRead: Bool) {
        for scheme in ["mqtt://", "mqtts://"] {
            #expect((BrokerURL(scheme + String(repeating: "h", count: count)) != nil) == isRead)
        }
    }

    @Test func `a quality is read`() throws {
        let read = try configuration(
            """
            quality:
              profile: px4
              accelerometer: {minimumRate: 100, maximumNoise: 0.05, maximumNoiseDensity: 2e-3, gravityWithin: 0.3}
              gyroscope: {maximumGaps: 0}
              locationReceiver: {minimumRate: 0.5, maximumGaps: 20}
            """)
        #expect(read.profile == .px4)
        #expect(
            read.quality == [
                .accelerometer: QualityDemand(
                    minimumRate: 100, maximumNoise: 0.05, maximumNoiseDensity: 0.002, gravityWithin: 0.3),
                .gyroscope: QualityDemand(maximumGaps: 0),
                .locationReceiver: QualityDemand(minimumRate: 0.5, maximumGaps: 20),
            ])
        #expect(try configuration("quality: {}").quality.isEmpty)
    }

    @Test func `everything in the schema is read`() throws {
        let read = try configuration(Self.everything)
        #expect(
            read.services
                == .of(.driving, .distractionFreeDriving, .deviceDiscovery, .walking, .walkingLocation, .places))
        #expect(read.flags == .motionPermissionMandatory)
        #expect(read.licence == .of(.driving, .distractionFreeDriving, .walking, .walkingLocation))
        #expect(read.pins == [.gyroscope: "i2c-1/1-0068", .locationReceiver: "test receiver"])
        #expect(read.rules?.description == "2.14")
        #expect(read.purposes == Purposes([.location: "To recognise trips."]))
        #expect(
            read.remarks == ["rig.yaml:9:3: useBackendConfig has no effect: no dashboard replaces this file"])
    }

    @Test func `an empty file asks for everything`() throws {
        for text in ["", "# nothing yet\n", "{}", "null"] { #expect(try configuration(text) == RigConfiguration()) }
    }

    @Test(arguments: [
        "services: [driving, distractionFreeDriving, walking, walkingLocation, pointsOfInterest]",
        "services: [DRIVING, DISTRACTION_FREE_DRIVING, WALKING, LOCATION, POINTS_OF_INTEREST]",
        "services: [walking.location, walking, driving.dfd, poi, driving]",
        "services: [driving: [.distractionFreeDriving], walking: [.location], .pointsOfInterest: ]",
        "services: {driving: [dfd], walking: [location], poi: []}",
        "services:\n  driving: [dfd]\n  walking:\n  - location\n  pointsOfInterest:\n",
        #"{"services": [{"driving": ["distractionFreeDriving"], "walking": ["walkingLocation"]}, "poi"]}"#,
        """
        timelineDetectionServices: [DRIVING, WALKING, POINTS_OF_INTEREST]
        drivingServices: [DISTRACTION_FREE_DRIVING]
        walkingServices: [LOCATION]
        """,
        """
        timelineDetectionService: [driving, walking]
        drivingServices: [dfd]
        walkingServices: [location]
        otherServices: [poi]
        """,
    ])
    func `services are accepted in the form of any platform`(text: String) throws {
        let expected = ServiceSet.of(
            .driving, .distractionFreeDriving, .walking, .walkingLocation, .pointsOfInterest)
        #expect(try configuration(text).services == expected)
    }

    @Test func `the example of the README is a configuration`() throws {
        let folder = FilePath("\(#filePath)").removingLastComponent().removingLastComponent().removingLastComponent()
        let file = try FileDescriptor.open(folder.appending("Sources/LocalRig/Configuration/README.md"), .readOnly)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = try file.closeAfter { unsafe try bytes.withUnsafeMutableBytes { unsafe try file.read(into: $0) } }
        bytes.removeSubrange(count...)
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "```yaml\n")
        let example = try #require(parts.dropFirst().first?.split(separator: "```").first)
        let read = try configuration(String(example))
        #expect(read.services?.members.count == 6)
        #expect(read.licence == read.services)
        #expect(read.purposes.texts.count == 5)
        #expect(read.broker?.urls.map(\.description) == ["mqtts://n1.lab.example:8883", "mqtts://n2.lab.example:8883"])
        #expect(read.broker?.keyFile == "bench-07.key")
        #expect(read.remarks == [])
    }

    @Test func `rules named elsewhere replace the file's`() throws {
        let text = "rules: 2.14\nservices: [health]\n"
        #expect(try configuration(text).services == .of(.health))
        #expect(
            refusal(text, rules: "2.4")
                == "rig.yaml:2:12: expected a service of rules 2.4, found \"health\" (since 2.14)")
        #expect(
            try configuration("rules: 2.0\nservices: [health]", rules: RulesVersion("2.14")).services == .of(.health))
    }

    @Test func `a version keeps its zeros`() throws {
        #expect(try configuration("rules: 2.10").rules?.minor == 10)
        #expect(try configuration("rules: '1.x'").rules == .version1)
    }

    @Test func `keys spelled with s or c, and licences that are empty or literal`() throws {
        #expect(try configuration("license: [walkingLocation]").licence == .of(.walkingLocation))
        #expect(try configuration("licence: []").licence == [])
        #expect(try configuration("rules: 2.14").licence == nil)
    }
}

import Readiness
import Testing

@Suite("Names of services")
struct NameTests {
    @Test func `the name of each case is that of the language`() {
        for cause in Cause.allCases { #expect(cause.id == "\(cause)") }
        for requirement in Requirement.allCases { #expect(requirement.id == "\(requirement)") }
        for service in Service.allCases {
            #expect(service.names.first == "\(service)")
            #expect(service == .walkingLocation || service.id.hasSuffix("\(service)"))
        }
    }

    @Test(
        arguments: [
            (Service.driving, ["driving", ".driving", "Driving", "DRIVING"]),
            (
                .distractionFreeDriving,
                [
                    "distractionFreeDriving", "DistractionFreeDriving", "DISTRACTION_FREE_DRIVING", "dfd", "DFD",
                    "driving.distractionFreeDriving", "distraction-free driving", "driving.dfd",
                ]
            ),
            (
                .drivingBehaviour,
                [
                    "drivingBehaviour", "drivingBehavior", ".drivingBehavior", "DrivingBehaviour", "DRIVING_BEHAVIOUR",
                    "behaviour", "behavior", "driving.drivingBehaviour", "driving.drivingBehavior",
                ]
            ),
            (.deviceDiscovery, ["deviceDiscovery", "DeviceDiscovery", "DEVICE_DISCOVERY", "driving.deviceDiscovery"]),
            (.cycling, ["cycling", "Cycling", "CYCLING", "bicycle", "BICYCLE"]),
            (.walking, ["walking", "Walking", "WALKING"]),
            (.walkingLocation, ["walkingLocation", "WalkingLocation", "location", "LOCATION", "walking.location"]),
            (.places, ["places", "Places", "PLACES"]),
            (.pointsOfInterest, ["pointsOfInterest", "PointsOfInterest", "POINTS_OF_INTEREST", "poi"]),
            (.publicTransport, ["publicTransport", "PublicTransport", "PUBLIC_TRANSPORT", "publicTransportStops"]),
            (
                .impactDetection,
                [
                    "impactDetection", "automaticImpactDetection", "AutomaticImpactDetection", "IMPACT_DETECTION",
                    "impact",
                ]
            ),
            (.assistanceCall, ["assistanceCall", "AssistanceCall", "ASSISTANCE_CALL"]),
            (.health, ["health", "Health", "HEALTH"]),
        ] as [(Service, [String])])
    func `every platform's and version's name is known`(service: Service, names: [String]) {
        for name in names + [service.id] { #expect(Service(named: name) == service, "\(name)") }
    }

    /// The cells of the tables' two left columns (MOVE SDK for iOS, "Permissions Handling", 1.x and 2.x).
    @Test(
        arguments: [
            "Driving": .driving, "Distraction-Free-Driving": .distractionFreeDriving,
            "Distraction-Free-Driving (DFD)": .distractionFreeDriving, "Driving Behavior events": .drivingBehaviour,
            "Driving behavior events (DBE)": .drivingBehaviour, "Device Detection": .deviceDiscovery,
            "Cycling": .cycling, "Bicycle": .cycling, "Walking": .walking, "Location": .walkingLocation,
            "Places": .places, "Points of Interest": .pointsOfInterest, "Points of Interest (POI)": .pointsOfInterest,
            "Public Transport": .publicTransport, "Public Transport stops": .publicTransport,
            "Impact Detection": .impactDetection, "Assistance Call": .assistanceCall, "Health": .health,
            "Health Steps": .health,
        ] as [String: Service])
    func `every name that the documents print is known`(name: String, service: Service) {
        #expect(Service(named: name) == service)
    }

    @Test func `no name means two services`() {
        for service in Service.allCases {
            for name in service.names { #expect(Service(named: name) == service, "\(name)") }
        }
    }

    @Test(arguments: [
        "", ".", "..", "driving.", "driving.walking", "walking.dfd", "driving.driving", "driving.dfd.dfd",
        "cycling.location",
        "drivng", "all", "Walking (POI)", "(POI)", "POI ()", "POI)", "poi(", String(repeating: "driving", count: 100),
    ])
    func `other words are not names`(word: String) {
        #expect(Service(named: word) == nil)
    }

    @Test(arguments: [
        ("drivng", "driving"), ("dirving", "driving"), ("walkingg", "walking"), ("cicling", "cycling"),
        ("helth", "health"), ("impct", "impact"), ("ddf", "dfd"), ("assistenceCall", "assistanceCall"),
        ("driving.distractionFreeDrivng", "driving.distractionFreeDriving"), ("PLACE", "places"),
    ])
    func `a near miss is suggested`(word: String, expected: String) {
        #expect(Service.suggestion(for: word) == expected)
    }

    @Test(arguments: ["", "x", "gyroscope", String(repeating: "d", count: 65)])
    func `a distant name is not suggested`(word: String) {
        #expect(Service.suggestion(for: word) == nil)
    }

    @Test func `the first of equally near candidates is suggested`() {
        #expect(suggestion(for: "cat", among: ["bat", "cut"]) == "bat")
        #expect(suggestion(for: "cat", among: ["dogs", "cow"]) == nil)
    }
}

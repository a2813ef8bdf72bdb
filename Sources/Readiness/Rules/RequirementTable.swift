/// What a service requires, and in which versions.
struct TableRow: Sendable {
    let row: ServiceRow
    /// The first version that has the row.
    let since: RulesVersion
    /// The first version that no longer has it.
    let until: RulesVersion?

    init(
        _ service: Service, _ required: RequirementSet, _ optional: RequirementSet, since: RulesVersion,
        until: RulesVersion? = nil
    ) {
        row = ServiceRow(service: service, required: required, optional: optional)
        self.since = since
        self.until = until
    }

    func holds(in version: RulesVersion) -> Bool {
        since <= version && until.map { version < $0 } ?? true
    }
}

/// The requirement table, row by row as on the page (MOVE SDK, Permissions Handling: Required
/// Permissions).
///
/// Where the page is ambiguous, this is decided: cycling requires three things; precise location was
/// required in 1.x too, although no row of the 1.x page lists it; the assistance call requires nothing since 2.4;
/// places list no background location, so no flag can promote it there.
enum RequirementTable {
    // swift-format-ignore
    static let rows: [TableRow] = {
        let location = RequirementSet.location, precise = RequirementSet.preciseLocation
        let background = RequirementSet.backgroundLocation, motion = RequirementSet.motion
        let gyroscope = RequirementSet.gyroscope, accelerometer = RequirementSet.accelerometer
        let bluetooth = RequirementSet.bluetooth
        let store = RequirementSet.healthStore, steps = RequirementSet.stepsRead
        return [
            //       service                  required                                        optional
            TableRow(.driving,                [location, precise],                            [motion, background], since: .version1),
            TableRow(.distractionFreeDriving, [gyroscope, accelerometer],                     [],                   since: .version1),
            TableRow(.drivingBehaviour,       [gyroscope, accelerometer],                     [],                   since: .version1),
            TableRow(.deviceDiscovery,        [],                                             [bluetooth],          since: .version2(4)),
            TableRow(.cycling,                [location, motion, precise],                    [background],         since: .version1),
            TableRow(.walking,                [motion],                                       [background],         since: .version1),
            TableRow(.walkingLocation,        [location, precise],                            [background],         since: .version2(0)),
            TableRow(.places,                 [location, precise],                            [],                   since: .version2(0)),
            TableRow(.pointsOfInterest,       [location, precise],                            [background],         since: .version1),
            TableRow(.publicTransport,        [location, precise],                            [background],         since: .version2(0)),
            TableRow(.impactDetection,        [location, precise, gyroscope, accelerometer],  [motion, background], since: .version2(0)),
            TableRow(.assistanceCall,         [location, precise],                            [],                   since: .version2(0), until: .version2(4)),
            TableRow(.assistanceCall,         [],                                             [location, precise],  since: .version2(4)),
            TableRow(.health,                 [store, steps],                                 [],                   since: .version2(14)),
        ]
    }()

    /// The option flags, each with the requirement that it promotes and the first version that has it (MOVE SDK,
    /// "MoveOptions" and the changelog).
    static let flags: [(flag: OptionFlags, name: String, requirement: RequirementSet, since: RulesVersion)] = [
        (.motionPermissionMandatory, "motionPermissionMandatory", .motion, .version2(4)),
        (
            .backgroundLocationPermissionMandatory, "backgroundLocationPermissionMandatory", .backgroundLocation,
            .version2(6)
        ),
    ]
}

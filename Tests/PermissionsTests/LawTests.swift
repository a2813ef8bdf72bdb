import LocalRig
import Readiness
import Testing

/// Permissions never widen access: checked by enumeration.
@Suite struct LawTests {
    private static let decisions: [PermissionDecision?] = [nil, .allowed, .denied, .notDetermined]

    @Test func `no grant and no policy widens an authorization`() {
        func rank(_ status: LocationStatus) -> Int {
            switch status {
            case .authorizedAlways: 4
            case .authorizedWhenInUse: 3
            case .indeterminate: 2
            case .notDetermined: 1
            case .denied, .restricted: 0
            }
        }
        for status in (-1...4).compactMap(LocationStatus.init) {
            for accuracy in [LocationAccuracy.fullAccuracy, .reducedAccuracy] {
                var access = Sample.access(location: status)
                access.accuracy.status = accuracy
                for grant in [nil] + Sample.locationGrants.map(Optional.init) {
                    for policy in Sample.locationPolicies {
                        let left = access.narrowed(by: Decisions(Grants(location: grant), policy, at: Sample.now))
                        #expect(rank(left.location.status) <= rank(status))
                        #expect(left.accuracy.status.rawValue >= accuracy.rawValue)
                        if left.location == access.location { continue }
                        #expect(left.location.from != .access, "\(String(describing: grant)) \(policy)")
                    }
                }
            }
        }
        for status in (-1...3).compactMap(AuthorizationStatus.init) {
            for decision in Self.decisions {
                for policy in [Policy(), Policy(restricted: [.motion])] {
                    let left = Sample.access(motion: status)
                        .narrowed(by: Decisions(Grants(motion: decision), policy, at: Sample.now)).motion
                    #expect(left.status != .allowed || status == .allowed)
                    #expect(left.status != .notDetermined || status != .denied)
                }
            }
        }
    }

    /// Four kinds of hardware with every access, under every set of grants and policies.
    ///
    /// Those with equal authorizations are evaluated once. Undetermined Bluetooth is not probed, so it is compared with
    /// an access that is undetermined too.
    @Test func `no grant and no policy makes a verdict better`() throws {
        let evaluators = try Rules.profiles.map({ Rules($0) }).flatMap {
            [try Evaluator(rules: $0), try Evaluator(rules: $0, flags: $0.flags)]
        }
        var judged = 0
        for inventory in Self.inventories {
            let access = Authorizations(access: inventory)
            var unchecked = access
            unchecked.bluetooth.status = .notDetermined
            let before = RequirementStatuses(RequirementEvaluator(inventory, access).results())
            let beforeUnchecked = RequirementStatuses(RequirementEvaluator(inventory, unchecked).results())
            for decisions in Self.distinct(under: access) {
                let left = access.narrowed(by: decisions)
                let isUnchecked = left.bluetooth.status == .notDetermined
                let after = RequirementStatuses(RequirementEvaluator(inventory, left).results())
                for evaluator in evaluators {
                    let old = evaluator.verdicts(for: isUnchecked ? beforeUnchecked : before)
                    let new = evaluator.verdicts(for: after)
                    for service in evaluator.listed.members where rank(new[service]) > rank(old[service]) {
                        Issue.record("\(service.id) is better under \(decisions)")
                    }
                }
                judged += 1
            }
        }
        #expect(judged > 5_000)
    }

    @Test func `undetermined Bluetooth is the only exception`() throws {
        let off = Sensor(
            key: "b", kind: .bluetoothAdapter, name: "hci0", driver: "bluetooth",
            availability: .unavailable(.poweredOff))
        let inventory = Inventory(
            depth: .sample,
            drivers: [
                DriverReport(name: "gpsd", kinds: [.locationReceiver], state: .ok, access: .readable),
                DriverReport(name: "bluetooth", kinds: [.bluetoothAdapter], state: .ok, access: .readable),
            ],
            sensors: [off, Sensor(key: "r", kind: .locationReceiver, name: "r", driver: "gpsd")])
        let access = Authorizations(access: inventory)
        func verdict(_ authorizations: Authorizations) throws -> Verdict? {
            try Evaluator().verdicts(
                for: RequirementStatuses(RequirementEvaluator(inventory, authorizations).results()))[
                    .deviceDiscovery]
        }
        #expect(try verdict(access) == .degraded)
        let undetermined = access.narrowed(by: Decisions(Grants(bluetooth: .notDetermined), at: Sample.now))
        #expect(try verdict(undetermined) == .runs)
    }

    private func rank(_ verdict: Verdict?) -> Int {
        switch verdict {
        case .runs: 4
        case .degraded: 3
        case .undetermined: 2
        case .fails, .blocked: 1
        case .unauthorized, nil: 0
        }
    }

    /// Grants and policies, one of each set with equal authorizations.
    private static func distinct(under access: Authorizations) -> [Decisions] {
        var seen: Set<[Int]> = []
        var locations: [(LocationGrant?, Policy)] = []
        for grant in [nil] + Sample.locationGrants.map(Optional.init) {
            for policy in Sample.locationPolicies {
                let left = access.narrowed(by: Decisions(Grants(location: grant), policy, at: Sample.now))
                let key = [left.location.status.rawValue, left.accuracy.status.rawValue]
                if seen.insert(key).inserted { locations.append((grant, policy)) }
            }
        }
        func others(_ permission: Permission, _ status: (Authorizations) -> AuthorizationStatus) -> [(
            PermissionDecision?, Set<Permission>
        )] {
            var seen: Set<AuthorizationStatus> = []
            return decisions.flatMap { decision in [[], [permission]].map { (decision, $0) } }.filter { pair in
                var grants = Grants()
                if let decision = pair.0 { grants.record(decision, about: permission) }
                let left = access.narrowed(by: Decisions(grants, Policy(restricted: pair.1), at: Sample.now))
                return seen.insert(status(left)).inserted
            }
        }
        var all: [Decisions] = []
        for location in locations {
            for motion in others(.motion, \.motion.status) {
                for bluetooth in others(.bluetooth, \.bluetooth.status) {
                    for health in others(.health, \.health.status) {
                        var policy = location.1
                        policy.restricted.formUnion(motion.1.union(bluetooth.1).union(health.1))
                        let grants = Grants(
                            location: location.0, motion: motion.0, bluetooth: bluetooth.0, health: health.0)
                        all.append(Decisions(grants, policy, at: Sample.now))
                    }
                }
            }
        }
        return all
    }

    /// Hardware that is good, absent, faulty or unclear, with every access.
    private static let inventories: [Inventory] = {
        let hardware: [[SensorKind: Availability]?] = [
            [:], nil,
            [
                .bluetoothAdapter: .unavailable(.poweredOff), .locationReceiver: .unavailable(.noFix),
                .accelerometer: .unavailable(.silent), .stepCounter: .unavailable(.faulty),
            ],
            [
                .bluetoothAdapter: .unavailable(.indeterminate), .locationReceiver: .unavailable(.indeterminate),
                .gyroscope: .unavailable(.indeterminate), .stepCounter: .unavailable(.indeterminate),
            ],
        ]
        let answers: [Access] = [.readable, .denied]
        var inventories: [Inventory] = []
        for kinds in hardware {
            for location in answers {
                for bluetooth in answers {
                    for motion in answers + [.unknown] {
                        for health in answers {
                            let access: [SensorKind: Access] = [
                                .accelerometer: motion, .gyroscope: motion, .stepCounter: health,
                                .bluetoothAdapter: bluetooth, .locationReceiver: location,
                            ]
                            let sensors = (kinds == nil ? [] : SensorKind.allCases).map { kind in
                                Sensor(
                                    key: kind.id, kind: kind, name: kind.id, driver: "d",
                                    availability: kinds?[kind] ?? .available, access: access[kind] ?? .unknown)
                            }
                            let drivers = [SensorKind.locationReceiver, .bluetoothAdapter].map { kind in
                                DriverReport(
                                    name: kind.id, kinds: [kind], state: .ok, access: access[kind] ?? .unknown,
                                    accessEvidence: Evidence(said: "seen"))
                            }
                            inventories.append(Inventory(depth: .sample, drivers: drivers, sensors: sensors))
                        }
                    }
                }
            }
        }
        return inventories
    }()
}

@testable import Readiness

/// Assessments of parts that need not follow from each other.
extension Assessment {
    init(_ inventory: Inventory, _ requirements: [RequirementResult], _ services: [ServiceResult], strict: Bool) {
        self.init(
            rig: RigIdentity(host: "", kernel: "", boot: "", source: .live, user: "", uid: 1000, takenAt: ""),
            request: Request(.all, strict: strict), resampling: .none, inventory: inventory,
            authorizations: Authorizations(access: inventory), requirements: requirements, services: services,
            rootCauses: [],
            notices: [], status: services.status(strict: strict))
    }
}

extension Comparison {
    init(
        _ expected: Baseline, with inventory: Inventory, _ requirements: [RequirementResult],
        _ services: [ServiceResult], strict: Bool = false
    ) {
        self.init(expected, with: Assessment(inventory, requirements, services, strict: strict))
    }
}

extension Baseline {
    init(_ inventory: Inventory, _ requirements: [RequirementResult], _ services: [ServiceResult]) {
        self.init(Assessment(inventory, requirements, services, strict: false))
    }
}

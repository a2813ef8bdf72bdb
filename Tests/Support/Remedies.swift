package import DriverKit
package import Readiness
internal import Rendering

// Remedies as the command line words them, which is how tests spell what they expect.

extension Sensor {
    /// The remedies of the availability.
    package var remedy: String? { remedies.commandLine }
    /// The remedies of the access.
    package var accessRemedy: String? { accessRemedies.commandLine }
}

extension Obstacle {
    /// The remedies.
    package var remedy: String? { remedies.commandLine }
}

extension Enumeration {
    /// The remedies of the access.
    package var accessRemedy: String? { accessRemedies.commandLine }
}

extension DriverReport {
    /// The remedies of the access.
    package var accessRemedy: String? { accessRemedies.commandLine }
}

extension Authorization {
    /// The remedies.
    package var remedy: String? { remedies.commandLine }
}

extension RequirementResult {
    /// The remedies.
    package var remedy: String? { remedies.commandLine }
}

extension Difference {
    /// The remedies.
    package var remedy: String? { remedies.commandLine }
}

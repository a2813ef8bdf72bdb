package import ArgumentParser
package import LocalRig

/// The requested services.
package struct ServiceOptions: RigOptionGroup {
    @Option(
        help: .value("name", "Ask for these services, separated by commas; repeatable. See 'rigready services'."),
        completion: .custom(CompletionWords.services))
    package var service: [String] = []

    package init() {}

    /// The services by their names; empty for those of the configuration.
    package var services: [Service] {
        get throws(LocalRigError) { try Service.all(named: service, by: "--service") }
    }

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        let services = try services
        if service.contains(where: { $0.split(separator: ",").contains("location") }) {
            options.remarks.append(
                "--service location is the service walking.location; a receiver is listed by rigready sensors")
        }
        options.services = services.isEmpty ? nil : services
    }
}

/// The configuration's file.
package struct ConfigurationOptions: RigOptionGroup {
    @Option(
        help: .value(
            "file",
            "Take services, options, licence, pins, purposes, brokers and accepted findings from this file (default: \(LocalRig.defaultConfiguration))."
        ), completion: .file())
    package var config: String?

    package init() {}

    package func configure(_ options: inout LocalRig.Options) {
        options.configurationFile = config ?? options.configurationFile
    }
}

/// The version of the requirement table.
package struct TableOptions: RigOptionGroup {
    @Option(
        help: .value("version", "The requirement table: 1.x or 2.MINOR; the newest profile up to this version is used.")
    )
    package var rules: String?

    package init() {}

    /// The version; nil for the configuration's.
    package var version: RulesVersion? {
        get throws(LocalRigError) { if let rules { try RulesVersion.named(rules) } else { nil } }
    }

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) { options.rules = try version }
}

/// Options that require what is optional in the table.
package struct RuleOptions: RigOptionGroup {
    @Flag(help: "Require motion access wherever it is optional.")
    package var motionMandatory = false

    @Flag(help: "Require background location wherever it is optional.")
    package var backgroundLocationMandatory = false

    package init() {}

    package func configure(_ options: inout LocalRig.Options) {
        if motionMandatory { options.flags.insert(.motionPermissionMandatory) }
        if backgroundLocationMandatory { options.flags.insert(.backgroundLocationPermissionMandatory) }
    }
}

/// The services of the licence, and the strictness of the exit status.
package struct VerdictOptions: RigOptionGroup {
    @Option(
        help: .value("names", "License only these services, separated by commas."),
        completion: .custom(CompletionWords.services))
    package var licence: String?

    @Flag(help: "Count a degraded service as failing in the exit status.")
    package var strict = false

    package init() {}

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        // An empty licence is usually an empty variable of a script, and not intended.
        if let licence { options.licence = ServiceSet(try Service.all(named: [licence], by: "--licence")) }
        options.strict = strict
    }
}

package import ArgumentParser
package import LocalRig

/// The options of every command that probes a rig.
package struct RigOptions: RigOptionGroup {
    @OptionGroup package var configuration: ConfigurationOptions
    @OptionGroup package var table: TableOptions
    @OptionGroup package var rules: RuleOptions
    @OptionGroup package var verdict: VerdictOptions
    @OptionGroup package var sensors: SensorOptions
    @OptionGroup package var probe: ProbeOptions

    @Option(
        help: .value(
            "file",
            "Use a recording instead of this machine: a file, or one of \(EmbeddedRig.names.joined(separator: ", "))."),
        completion: .list(EmbeddedRig.names))
    package var rig: String?

    @OptionGroup package var decisions: DecisionOptions

    package init() {}

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        // First: a recording has its own gpsd, which no variable replaces.
        if let rig { options.read(.recording(rig)) }
        configuration.configure(&options)
        try table.configure(&options)
        rules.configure(&options)
        try verdict.configure(&options)
        try sensors.configure(&options)
        try probe.configure(&options)
        decisions.configure(&options)
    }
}

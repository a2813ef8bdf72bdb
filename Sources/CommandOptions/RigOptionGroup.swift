internal import DriverKit
package import ArgumentParser
package import LocalRig

/// Options of a command line that configure a rig.
///
/// Each option is declared once, in the group of its subject. A command takes the groups that it composes, and no other
/// option; both programs use the same groups.
package protocol RigOptionGroup: ParsableArguments {
    /// Adds the options to those of a rig; throws if one is not valid.
    func configure(_ options: inout LocalRig.Options) throws(LocalRigError)
}

extension LocalRig.Options {
    /// The options of the environment, replaced by those of these groups in their order.
    package init(_ groups: any RigOptionGroup...) throws(LocalRigError) {
        self = .environment
        for group in groups { try group.configure(&self) }
    }
}

extension LocalRig {
    /// Warnings about valid options and configurations.
    package var remarks: [String] {
        let strange = recording.map { recording in options.iio.filter { !recording.header.iio.contains($0) } } ?? []
        let omitted = omissions.map { "cannot take over \($0) of \(options.subject?.words ?? "the subject")" }
        return options.remarks + configuration.remarks
            + omitted
            + strange.map { "the recording has no context \($0), so the sensors of that context are unknown" }
    }
}

extension ArgumentHelp {
    /// The help of an option that takes a value.
    package static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name)
    }
}

/// Throws if a number of seconds is out of its range.
///
/// The options themselves take any next word, so that a negative number is not taken for an option.
package func checkSeconds(
    _ option: String, _ value: Double?, in range: ClosedRange<Double>
) throws(ValidationError) {
    guard let value, !range.contains(value) else { return }
    let (least, given) = (String(describing: range.lowerBound), String(describing: value))
    func plain(_ number: String) -> String { number.hasSuffix(".0") ? String(number.dropLast(2)) : number }
    throw ValidationError(
        "--\(option) takes a number from \(plain(least)) to \(Int(range.upperBound)) seconds, not \(plain(given)).")
}

import Linux
import LocalRig

/// The configuration of a rig for a ticket: its path and whether it is valid, without its contents.
struct ConfigurationState {
    /// One or two sentences.
    let text: String

    /// Reads the configuration that the options name, else the one in the default place.
    init(of options: LocalRig.Options) {
        let file = options.configurationFile ?? LocalRig.defaultConfiguration
        let name = Self.withoutHome(file)
        guard options.configurationFile != nil || InputFile.exists(file) else {
            text = "There is no configuration: none was named, and \(name) does not exist."
            return
        }
        do {
            let bytes = try InputFile.read(file, limit: 1 << 20, expecting: "a configuration in YAML or JSON")
            _ = try RigConfiguration(parsing: bytes, file: file, rules: options.rules)
            text = "\(name) is a valid configuration."
        } catch let error as ConfigurationError {
            // The message would quote the file.
            let place = error.line.map { "line \($0), column \(error.column ?? 1)" } ?? "the file as a whole"
            text = "\(name) is not valid: \(place). rigready --config FILE shows the error."
        } catch {
            text = "The configuration cannot be read: \(Self.withoutHome("\(error)"))"
        }
    }

    /// A text with `~` in place of this user's home folder, whose path has the name of the user.
    private static func withoutHome(_ text: String) -> String {
        guard let home = Environment.value("HOME"), home.count > 1 else { return text }
        return text.replacing(home, with: "~")
    }
}

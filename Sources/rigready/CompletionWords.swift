import ArgumentParser
import LocalRig

/// The words in the form that the parser asks for.
extension CompletionWords {
    /// The formats of `--output`, each before the name of its file.
    @Sendable static func outputs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        (Format.allValueStrings + ["record"]).map { $0 + "=" }
    }

    /// The kinds, and with each the keys of the rig.
    @Sendable static func sensors(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        sensors(ofRigIn: arguments, isForZsh: CompletionShell.requesting == .zsh)
    }
}

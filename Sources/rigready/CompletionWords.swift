import CommandOptions

/// The words in the form that the parser asks for.
extension CompletionWords {
    /// The formats of `--output`, each before the name of its file.
    @Sendable static func outputs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        (Format.allCases.map(\.rawValue) + ["record"]).map { $0 + "=" }
    }
}

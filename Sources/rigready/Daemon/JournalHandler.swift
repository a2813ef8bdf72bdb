import Readiness
import Logging
import Readiness

/// Writes log lines to standard error for the journal: with a priority prefix, without the time, which the journal
/// adds.
///
/// Source: sd-daemon(3), "Logging prefixes".
struct JournalHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let priority =
            switch event.level {
            case .trace, .debug: 7
            case .info: 6
            case .notice: 5
            case .warning: 4
            case .error: 3
            case .critical: 2
            }
        Output.log("<\(priority)>\("\(event.message)".singleLine)\n")
    }
}

internal import Readiness

extension String {
    /// The seconds since 1970 of a time as reports write it: `2026-11-21T09:00:00.000Z`; nil for any other text.
    package var secondsSinceEpoch: Double? {
        utf8.count == 24 && CalendarDay(prefix(10)) != nil ? secondsSince1970(self) : nil
    }
}

internal import Readiness

extension String {
    /// The seconds since 1970 of a time as reports write it: `2026-11-21T09:00:00.000Z`; nil for any other text.
    package var secondsSinceEpoch: Double? {
        utf8.count == 24 && CalendarDay(prefix(10)) != nil ? secondsSince1970(self) : nil
    }

    /// A time as reports write it, for people: `2026-11-21T09:00:00Z`, or `09:00:00` on the day of another such time.
    ///
    /// Days are those of UTC. Any other text stays as it is.
    package func timeWords(onDayOf other: String? = nil, showsMilliseconds: Bool = false) -> String {
        guard secondsSinceEpoch != nil else { return self }
        let time = prefix(showsMilliseconds ? 23 : 19)
        return prefix(10) == other?.prefix(10) ? String(time.dropFirst(11)) : "\(time)Z"
    }
}

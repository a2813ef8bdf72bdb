internal import Readiness

extension String {
    /// The seconds since 1970 of a time as reports write it: `2026-11-21T09:00:00.000Z`; nil for any other text.
    package var secondsSinceEpoch: Double? {
        let bytes = Array(utf8)
        guard bytes.count == 24, let day = CalendarDay(prefix(10)) else { return nil }
        // Digits, or the mark at each other place.
        for (byte, mark) in zip(bytes.dropFirst(10), "T00:00:00.000Z".utf8) {
            guard mark == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == mark else { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        // A leap second is a second of the next minute.
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        let seconds = ((day.daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + second
        return Double(seconds) + Double(number(20..<23)) / 1000
    }
}

extension CalendarDay {
    /// The days since 1 January 1970, by the Gregorian calendar.
    fileprivate var daysSinceEpoch: Int {
        let parts = description.split(separator: "-").map { Int($0) ?? 0 }
        // Counted in years that begin in March, so that a leap day is the last of its year.
        let year = parts[1] > 2 ? parts[0] : parts[0] - 1
        let month = (parts[1] + 9) % 12
        let leapDays = year.floorDivided(by: 4) - year.floorDivided(by: 100) + year.floorDivided(by: 400)
        return year * 365 + leapDays + (month * 153 + 2) / 5 + parts[2] - 1 - 719_468
    }
}

extension Int {
    fileprivate func floorDivided(by divisor: Int) -> Int { self >= 0 ? self / divisor : (self + 1) / divisor - 1 }
}

internal import Readiness

extension String {
    /// The seconds since 1970 of a time as reports write it: `2026-11-21T09:00:00.000Z`; nil for any other text.
    package var secondsSinceEpoch: Double? {
        let bytes = Array(utf8)
        guard bytes.count == 24, CalendarDay(prefix(10)) != nil else { return nil }
        // Digits, or the mark at each other place.
        for (byte, mark) in zip(bytes.dropFirst(10), "T00:00:00.000Z".utf8) {
            guard mark == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == mark else { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        // A leap second is a second of the next minute.
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        // Counted in years that begin in March, so that a leap day is the last of its year; with 400 more none is negative.
        let years = year + (month > 2 ? 400 : 399)
        let leapDays = years / 4 - years / 100 + years / 400
        let days = years * 365 + leapDays + ((month + 9) % 12 * 153 + 2) / 5 + day - 865_566
        return Double(((days * 24 + hour) * 60 + minute) * 60 + second) + Double(number(20..<23)) / 1000
    }
}

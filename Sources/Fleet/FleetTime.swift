/// A time as rigs publish it: UTC, ISO 8601, such as `2026-11-21T09:00:00.000Z`.
enum FleetTime {
    /// Seconds since 1970; nil for a text of any other form.
    static func seconds(_ text: [UInt8]) -> Double? {
        let form = Array("0000-00-00T00:00:00.000Z".utf8)
        let zero = UInt8(ascii: "0")
        guard text.count == form.count,
            zip(text, form).allSatisfy({ $1 == zero ? zero...UInt8(ascii: "9") ~= $0 : $0 == $1 })
        else { return nil }
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - zero) } }
        let (month, day) = (number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 61 else { return nil }
        let time = days(number(0..<4), month, day) * 86_400 + hour * 3600 + minute * 60 + second
        return Double(time) + Double(number(20..<23)) / 1000
    }

    /// Days since 1970 in the proleptic Gregorian calendar, whose years are taken to begin in March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let century = year / 100
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - century + century / 4 + dayOfYear - 719_468
    }
}

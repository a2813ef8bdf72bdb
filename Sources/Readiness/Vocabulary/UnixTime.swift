/// The seconds since 1970 of a time in UTC, such as `2026-11-21T11:22:03.112Z`; nil for any other text.
///
/// The fraction may be missing, or have any number of digits. A day that its month lacks is one of the next month.
package func secondsSince1970(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let shape = bytes.map { 0x30...0x39 ~= $0 ? UInt8(ascii: "0") : $0 }
    let seconds = "0000-00-00T00:00:00".utf8
    // A point and digits, or nothing.
    let fraction = shape.dropFirst(seconds.count).dropLast()
    guard shape.count <= 40, shape.starts(with: seconds), shape.last == UInt8(ascii: "Z"),
        fraction.isEmpty || fraction.count > 1 && fraction.first == UInt8(ascii: "."),
        fraction.dropFirst().allSatisfy({ $0 == UInt8(ascii: "0") })
    else { return nil }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    // A leap second is a second of the next minute.
    guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else { return nil }
    // Counted in years that begin in March, so that a leap day is the last of its year; with 400 more none is negative.
    let years = year + (month > 2 ? 400 : 399)
    let leapDays = years / 4 - years / 100 + years / 400
    let days = years * 365 + leapDays + ((month + 9) % 12 * 153 + 2) / 5 + day - 865_566
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second)
        + (Double("0\(text.dropFirst(seconds.count).dropLast())") ?? 0)
}

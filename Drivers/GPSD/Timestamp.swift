/// Seconds since 1970 of a time as gpsd writes it, such as `2026-11-21T11:22:03.112Z`; nil if it is not one.
///
/// Source: gpsd's `timespec_to_iso8601`. Only differences of such times are used, of one clock.
package func secondsSince1970(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, bytes.last == UInt8(ascii: "Z"),
        bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
        bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
        var sum = 0
        for byte in bytes[range] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            sum = sum * 10 + Int(byte - 0x30)
        }
        return sum
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
        let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
        (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    if bytes.count > 20 {
        let digits = 20..<(bytes.count - 1)
        guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty, digits.count <= 15, let value = number(digits) else {
            return nil
        }
        fraction = digits.reduce(Double(value)) { sum, _ in sum / 10 }
    }
    // Days from the civil date (Howard Hinnant), with the year begun in March.
    let years = month <= 2 ? year - 1 : year
    let era = (years >= 0 ? years : years - 399) / 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let yearOfEra = years - era * 400
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second) + fraction
}

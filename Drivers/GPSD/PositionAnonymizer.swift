internal import DriverKit

/// Removes the place from gpsd's stream without changing the length of anything.
///
/// Latitudes and longitudes are rounded to 0.1°, altitudes to 100 m. Other numbers and texts are kept only if they
/// reveal nothing of the place, whatever the class of the line; satellites lose their direction. Lines that are not
/// JSON (NMEA, binary) lose their digits. The positions of ModemManager's answers are rounded likewise.
struct PositionAnonymizer: FrameAnonymizer {
    func covers(_ endpoint: String) -> Bool {
        endpoint.hasPrefix("\(Endpoint.gpsdKind) at ") || endpoint == Endpoint.modemManager.description
    }

    /// None besides those that are replaced in all text.
    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData] { [] }

    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] {
        guard endpoint == Endpoint.modemManager.description else {
            return names.replacing(inStream: Self.blurred(frames))
        }
        return names.replacing(
            inStream: frames.map { BusValues.frame(of: BusValues(parsing: $0).values.map(Self.rounded)) })
    }

    /// A value of ModemManager's; what its other sources tell of the place is removed.
    private static func rounded(_ value: BusValues.BusValue) -> BusValues.BusValue {
        // The properties of modems, which say nothing of the place.
        if value.keys.count == 3 { return value }
        var value = value
        switch (value.keys.last ?? "", Double(value.text)) {
        case ("latitude", let degrees?), ("longitude", let degrees?):
            value.text = "\((max(-999, min(degrees, 999)) * 10).rounded() / 10)"
        case ("altitude", let metres?): value.text = "\((max(-1e6, min(metres, 1e6)) / 100).rounded() * 100)"
        case ("utc-time", _): break
        default: value.text = ""
        }
        return value
    }

    /// How a value is replaced; the rule of an array or object applies to its contents, unless their key has its own.
    private enum Rule { case keep, degrees, altitude, erase }

    /// Source: gpsd_json(5), of 2.9 to 3.27.
    private static let rules: [String: Rule] = {
        var rules: [String: Rule] = ["lat": .degrees, "lon": .degrees]
        for key in ["alt", "altHAE", "altMSL"] { rules[key] = .altitude }
        let kept = """
            class device path time activated driver subtype subtype1 parity release rev message status tag mode ept epx \
            epy epv eph eps epc epd sep leapseconds flags native bps stopbits cycle mincycle proto_major proto_minor \
            active nSat uSat xdop ydop vdop tdop hdop gdop pdop PRN ss gnssid svid sigid health real_sec real_nsec \
            clock_sec clock_nsec precision raw ant antPwr msg timeTag acc_x acc_y acc_z gyro_x gyro_y gyro_z
            """
        for key in kept.split(separator: " ") { rules[String(key)] = .keep }
        return rules
    }()

    /// The frames of one stream with rounded positions; a value may span two frames.
    private static func blurred(_ frames: [[UInt8]]) -> [[UInt8]] {
        var bytes = Array(frames.joined())
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            blur(&bytes, start..<end)
            start = end + 1
        }
        var offset = 0
        return frames.map { frame in
            defer { offset += frame.count }
            return Array(bytes[offset..<offset + frame.count])
        }
    }

    private static func blur(_ bytes: inout [UInt8], _ line: Range<Int>) {
        let first = bytes[line].first { $0 != UInt8(ascii: " ") }
        if first == UInt8(ascii: "{") { return blurJSON(&bytes, line) }
        let isText = bytes[line].allSatisfy { 0x20..<0x7f ~= $0 || $0 == 0x0d || $0 == 0x09 }
        for place in line where bytes[place] != 0x0d {
            if !isText {
                bytes[place] = UInt8(ascii: "?")
            } else if UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] {
                bytes[place] = UInt8(ascii: "0")
            }
        }
    }

    /// Processes the tokens of one line, which may be damaged or truncated.
    private static func blurJSON(_ bytes: inout [UInt8], _ line: Range<Int>) {
        var containers: [(isObject: Bool, rule: Rule)] = []
        var rule = Rule.erase
        var isKey = false
        var place = line.lowerBound
        while place < line.upperBound {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                isKey = bytes[place] == UInt8(ascii: "{")
                containers.append((isKey, rule))
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                containers.removeLast(containers.isEmpty ? 0 : 1)
                isKey = false
                place += 1
            case UInt8(ascii: ","):
                isKey = containers.last?.isObject ?? false
                rule = containers.last?.rule ?? .erase
                place += 1
            case UInt8(ascii: "\""):
                let end = endOfString(bytes, place, line.upperBound)
                // A truncated one has no closing quote.
                let isClosed = end > place + 1 && bytes[end - 1] == UInt8(ascii: "\"")
                let content = place + 1..<(isClosed ? end - 1 : end)
                if isKey {
                    rule = rules[key(bytes[place..<end])] ?? containers.last?.rule ?? .erase
                    isKey = false
                } else if rule != .keep {
                    for index in content { bytes[index] = UInt8(ascii: "x") }
                }
                place = end
            case UInt8(ascii: ":"), 0...0x20: place += 1
            default:
                let end: Int =
                    bytes[place..<line.upperBound].firstIndex { #",:{}[]" "#.utf8.contains($0) || $0 <= 0x20 }
                    ?? line.upperBound
                blurWord(&bytes, place..<end, rule)
                place = end
            }
        }
    }

    private static func endOfString(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Int {
        var place = start + 1
        while place < limit, bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(place + 1, limit)
    }

    private static func key(_ literal: ArraySlice<UInt8>) -> String {
        if literal.contains(UInt8(ascii: "\\")) {
            return JSON(parsing: Array(literal))?.text ?? ""
        }
        return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }

    private static func blurWord(_ bytes: inout [UInt8], _ range: Range<Int>, _ rule: Rule) {
        let word = String(decoding: bytes[range], as: UTF8.self)
        guard !["true", "false", "null"].contains(word), rule != .keep || Double(word) == nil else { return }
        let number = Double(word) ?? 0
        let value = number.isNaN ? 0 : number
        let blurred: Double =
            switch rule {
            // A value out of range must not become a place on Earth.
            case .degrees:
                abs(value) > 180 ? 999 : (value * 10).rounded(abs(value) > 90 ? .awayFromZero : .toNearestOrEven) / 10
            case .altitude: (value / 100).rounded() * 100
            case .keep, .erase: 0
            }
        bytes.replaceSubrange(range, with: written(blurred, in: range.count))
    }

    /// A number in this many bytes, padded with decimal zeros or spaces.
    private static func written(_ value: Double, in room: Int) -> [UInt8] {
        // The sum turns negative zero into zero.
        var text = Array("\(value + 0)".utf8)
        if text.count > room, text.suffix(2) == [UInt8(ascii: "."), UInt8(ascii: "0")] { text.removeLast(2) }
        if text.count > room || !value.isFinite || text.contains(UInt8(ascii: "e")) { text = [UInt8(ascii: "0")] }
        if !text.contains(UInt8(ascii: ".")) && text.count + 2 <= room { text.append(UInt8(ascii: ".")) }
        let filler = UInt8(ascii: text.contains(UInt8(ascii: ".")) ? "0" : " ")
        return text + [UInt8](repeating: filler, count: room - text.count)
    }
}

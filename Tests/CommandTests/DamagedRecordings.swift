import Foundation

/// Seeded damage to recordings, most of which remain recordings: lines cut, doubled, swapped and taken from others,
/// numbers made absurd, lists and texts huge, answers removed or never given, bytes flipped.
struct DamagedRecordings: Sequence, IteratorProtocol {
    private let seeds: [[String]]
    private var random: Random
    private var left: Int

    /// The same seed gives the same mutants, so a failure can be reproduced.
    init(of seeds: [[String]], count: Int, seed: UInt64) {
        self.seeds = seeds
        random = Random(state: seed)
        left = count
    }

    mutating func next() -> [UInt8]? {
        guard left > 0 else { return nil }
        left -= 1
        var lines = seeds[draw(seeds.count)]
        for _ in 0...draw(5) { damage(&lines) }
        if draw(8) > 0 {
            lines[0] = lines[0].replacing(#/"entries":-?[0-9.e+]+/#, with: "\"entries\":\(lines.count - 1)")
        }
        var bytes = Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
        // A random byte now and then, anywhere.
        if draw(6) == 0 { bytes[draw(bytes.count)] = UInt8(draw(256)) }
        if draw(40) == 0 { bytes.removeLast(draw(bytes.count)) }
        return bytes
    }

    private mutating func damage(_ lines: inout [String]) {
        guard lines.count > 2 else { return }
        let index = 1 + draw(lines.count - 1)
        switch draw(13) {
        case 0: lines.remove(at: index)
        case 1: lines.removeSubrange(index..<Swift.min(lines.count, index + draw(20)))
        case 2: lines.insert(lines[index], at: 1 + draw(lines.count - 1))
        case 3: lines.swapAt(index, 1 + draw(lines.count - 1))
        case 4: lines[index] = pick(pick(seeds).dropFirst()) ?? lines[index]
        case 5: replaceNumber(in: &lines[index], pick(Self.numbers))
        case 6: replaceNumber(in: &lines[0], pick(Self.numbers))
        case 7: replaceValue(of: "text", in: &lines[index])
        case 8: replaceValue(of: "base64", in: &lines[index])
        case 9: growList(in: &lines[index])
        case 10: refuse(&lines[index])
        case 11: flip(&lines[index])
        default: flip(&lines[0])
        }
    }

    private static let numbers = [
        "-1", "0", "-0.0", "1e308", "-1e308", "1e-308", "9223372036854775807", "-9223372036854775808", "4294967295",
        "65536", "2147483648", "3600", "86400", "0.05", "1e18", "99999999999999999999", "1.7976931348623157e308",
    ]
    private static let codes = [
        "unanswered", "timedOut", "closed", "malformed", "refused", "unsupported", "cancelled", "notRecorded", "other",
    ]

    private mutating func replaceNumber(in line: inout String, _ number: String) {
        let matches = line.matches(of: #/-?[0-9]+(\.[0-9]+)?/#)
        guard let match = pick(matches) else { return }
        line.replaceSubrange(match.range, with: number)
    }

    /// Another text, from another line or damaged, or a huge one.
    private mutating func replaceValue(of member: String, in line: inout String) {
        guard let place = try? Regex("\"\(member)\":\"((?:[^\"\\\\]|\\\\.)*)\"").firstMatch(in: line),
            let old = place.output[1].range
        else { return }
        let text = String(line[old])
        let new: String =
            switch draw(5) {
            case 0: ""
            case 1: String(text.prefix(draw(text.count + 1)))
            case 2: text + text
            case 3: String(repeating: text.isEmpty ? "A" : text, count: 1 + 60_000 / Swift.max(1, text.utf8.count))
            default: pick(Self.numbers)
            }
        line.replaceSubrange(old, with: new)
    }

    private mutating func growList(in line: inout String) {
        guard let start = line.range(of: "\"list\":[")?.upperBound else { return }
        let names = (0..<400).map { "\"/sys/devices/x/iio:device\($0)\"" }.joined(separator: ",")
        line.insert(contentsOf: line[start...].hasPrefix("]") ? names : names + ",", at: start)
    }

    /// An error instead of an answer.
    private mutating func refuse(_ line: inout String) {
        guard line.hasSuffix("}"), !line.contains("\"error\":") else { return }
        line.removeLast()
        let errno = draw(2) == 0 ? "" : ",\"errno\":\(draw(140))"
        line += ",\"error\":{\"code\":\"\(pick(Self.codes))\"\(errno),\"subject\":\"s\"}}"
    }

    private mutating func flip(_ line: inout String) {
        var bytes = Array(line.utf8)
        guard !bytes.isEmpty else { return }
        bytes[draw(bytes.count)] ^= 1 << UInt8(draw(7))
        line = String(decoding: bytes, as: UTF8.self)
    }

    private mutating func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(Swift.max(1, bound))) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[draw(elements.count)] }

    private mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
        guard !elements.isEmpty else { return nil }
        return elements[elements.index(elements.startIndex, offsetBy: draw(elements.count))]
    }

    // SplitMix64 (Steele, Lea, Flood 2014).
    private struct Random {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &+ 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
            return word ^ (word >> 31)
        }
    }
}

import GPSD
import Support
import Testing

@Suite struct JSONTests {
    private func parse(_ text: String) -> JSON? { JSON(parsing: Array(text.utf8)) }

    @Test func `every kind of value is read`() {
        let text = #" {"a":[1,-2.5e1,true,false,null],"b":"x\"\\\/\b\f\n\r\tü","c":{}} "#
        #expect(
            parse(text)
                == .object([
                    "a": .array([.number(1), .number(-25), .bool(true), .bool(false), .null]),
                    "b": .string("x\"\\/\u{8}\u{c}\n\r\tü"), "c": .object([:]),
                ]))
    }

    @Test func `escapes beyond the first plane are pairs`() {
        #expect(parse(#""\u00e9\ud83d\ude00""#) == .string("é😀"))
        for broken in [#""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\u12""#, #""\u12g4""#] {
            #expect(parse(broken) == nil, "\(broken)")
        }
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "tru", "nul", "+1", "1.", ".5", "-", "1e",
        "0x10", "nan", "inf", "\"", "\"\u{1}\"", "{}x", "\"\\x\"", "1..2", "--1",
    ])
    func `invalid JSON is refused`(_ text: String) {
        #expect(parse(text) == nil)
    }

    @Test func `depth, count and length are bounded`() {
        #expect(parse(String(repeating: "[", count: 17) + String(repeating: "]", count: 17)) == nil)
        #expect(parse(String(repeating: "[", count: 16) + String(repeating: "]", count: 16)) != nil)
        #expect(parse(String(repeating: "[", count: 100_000)) == nil)
        #expect(parse("[" + String(repeating: "1,", count: 20_000) + "1]") == nil)
        #expect(parse(String(repeating: "1", count: 65)) == nil)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(JSON(parsing: [0x22, 0xff, 0xfe, 0x22]) == nil)
        #expect(JSON(parsing: [0x22, 0xc3, 0x22]) == nil)
    }

    @Test func `a number beyond a double is infinite and not an integer`() {
        #expect(parse("1e999") == .number(.infinity))
        #expect(parse("1e999")?.integer == nil)
        #expect(parse("1e30")?.integer == nil)
        #expect(parse("2.5")?.integer == nil)
    }

    @Test func `mutants never crash, and an accepted one is valid text`() {
        let seeds = Recorded.lines.map { Array($0.utf8) }
        var accepted = 0
        for mutant in Mutations(of: seeds, count: 20_000) {
            guard JSON(parsing: mutant) != nil else { continue }
            accepted += 1
            // Everything outside strings is ASCII and strings are validated, so the whole is UTF-8.
            #expect(String(validating: mutant, as: UTF8.self) != nil)
        }
        #expect(accepted > 0)
    }
}

import IIO
import Support
import Testing

/// The cells of a buffer, by their formats.
@Suite struct ScanTests {
    @Test(arguments: [
        ("le:s16/32>>0", [0xe1, 0xff, 0xad, 0xde] as [UInt8], -31 as Int64),
        ("le:u16/32>>0", [0xe1, 0xff, 0xad, 0xde], 65505),
        ("be:s12/16>>4", [0x80, 0x0f], -2048), ("be:s12/16>>4", [0x7f, 0xf5], 2047), ("le:u8/8>>0", [0xff], 255),
        ("le:s24/32>>8", [0x99, 0xff, 0xff, 0xff], -1), ("be:u24/24>>0", [1, 2, 3], 66051),
        ("le:S16/16>>0\n", [0, 0x80], -32768), ("le:s32/32X4>>0", [1, 0, 0, 0] + [UInt8](repeating: 7, count: 12), 1),
    ])
    func `a value is the significant bits of its cell`(format: String, bytes: [UInt8], value: Int64) throws {
        let format = try #require(CellFormat(Array(format.utf8)))
        #expect(format.integer(at: 0, in: bytes) == value)
        #expect(format.integer(at: bytes.count - 1, in: bytes) == nil || bytes.count == 1)
        #expect(format.integer(at: bytes.count, in: bytes) == nil && format.integer(at: .max, in: bytes) == nil)
        #expect(format.integer(at: -1, in: bytes) == nil)
    }

    @Test func `a time keeps every nanosecond`() throws {
        let format = try #require(CellFormat(Array("le:s64/64>>0".utf8)))
        let bytes: [UInt8] = [0x15, 0xcd, 0x5b, 0x07, 0x2a, 0x16, 0xa1, 0x18]
        #expect(format.integer(at: 0, in: bytes) == 0x18a1_162a_075b_cd15)
        #expect(CellFormat(Array("le:u64/64>>0".utf8))?.integer(at: 0, in: [UInt8](repeating: 0xff, count: 8)) == nil)
    }

    @Test(arguments: [
        "", "le", "le:s16", "le:s16/", "le:s16/12>>0", "le:s16/8>>0", "le:s12/16>>5", "me:s16/16>>0", "le:s16/16>0",
        "le:s16/16X0>>0", "le:s16/16X2X2>>0", "le:s0/16>>0", "le:s65/72>>0", "le:s16/16>>-1", "le:s16/16>>",
        "le:s16/99999>>0",
    ])
    func `an impossible format is refused`(text: String) { #expect(CellFormat(Array(text.utf8)) == nil) }

    private static func element(_ channel: String, _ index: Int, _ format: String) throws -> ScanLayout.Element {
        (channel, index, try #require(CellFormat(Array(format.utf8))))
    }

    @Test func `cells are at multiples of their size`() throws {
        let layout = try #require(
            ScanLayout([
                try Self.element("time", 9, "le:s64/64>>0"), try Self.element("x", 0, "le:u8/8>>0"),
                try Self.element("y", 1, "be:s16/16>>0"), try Self.element("z", 5, "le:s32/32>>0"),
            ]))
        #expect(layout.size == 16)
        func value(_ channel: String, _ start: Int) -> Int64? {
            layout.cell(of: channel).flatMap { $0.format.integer(at: start + $0.place, in: bytes) }
        }
        let bytes: [UInt8] = [7, 0xee, 0xff, 0xfe, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]
        #expect(value("x", 0) == 7)
        #expect(value("y", 0) == -2)
        #expect(value("z", 0) == 1)
        #expect(value("time", 0) == 5)
        #expect(value("z", 12) == nil)
        #expect(value("w", 0) == nil)
    }

    @Test func `a scan ends at a multiple of its largest cell, and channels may share one`() throws {
        let three = try ["x", "y", "z"].enumerated().map { try Self.element($1, $0, "be:s16/16>>0") }
        #expect(ScanLayout(three)?.size == 6)
        #expect(ScanLayout(try three + [Self.element("t", 3, "le:s64/64>>0")])?.size == 16)
        #expect(
            ScanLayout(try [Self.element("t", 0, "le:s64/64>>0"), Self.element("x", 1, "le:s16/16>>0")])?.size == 16)
        #expect(ScanLayout(try three + [Self.element("w", 2, "be:u8/16>>0")])?.size == 6)
        #expect(ScanLayout(try three + [Self.element("w", 2, "be:u8/8>>0")]) == nil)
        #expect(ScanLayout([]) == nil)
    }

    @Test func `damaged formats and scans stay in bounds`() throws {
        let seeds = ["le:s16/32>>0", "be:u12/16>>4", "le:s64/64>>0", "le:s32/32X4>>0"].map { Array($0.utf8) }
        var taken = 0
        for mutant in Mutations(of: seeds, count: 20_000) {
            guard let format = CellFormat(mutant) else { continue }
            taken += 1
            for count in [0, 1, format.size - 1, format.size, 64] {
                let bytes = [UInt8](repeating: 0xff, count: max(0, count))
                guard let number = format.integer(at: 0, in: bytes) else {
                    // A repeated cell is complete with its first value; 64 ones without sign do not fit.
                    #expect(bytes.count < format.size || !format.value.isSigned && format.value.bits == 64)
                    continue
                }
                #expect(format.value.holds(Double(number)) || format.value.bits > 53)
            }
            _ = ScanLayout([("x", 0, format)])
        }
        #expect(taken > 200)
    }

    @Test func `of more samples than requested the nearest ones pass`() {
        var four = Decimation(interval: 0.04, step: 0.01)
        let passed = (0..<100).filter { four.passes(Double($0) / 100 + ($0 % 2 == 0 ? 0.002 : -0.002)) }
        #expect(passed.count == 25)
        var all = Decimation(interval: 0.02, step: 0.02)
        #expect((0..<50).filter { all.passes(Double($0) / 50 + ($0 % 3 == 0 ? 0.009 : 0)) }.count == 50)
        // A pause, and a clock that was set back.
        var slow = Decimation(interval: 1, step: 0.1)
        #expect(slow.passes(10) && !slow.passes(10.5) && slow.passes(50) && !slow.passes(50.5) && slow.passes(51))
        #expect(slow.passes(3) && !slow.passes(3.5) && slow.passes(4))
    }

    @Test(arguments: [
        ("12.5 25 50 100\n", 50.0, "50"), ("12.5 25 50 100", 30, "50"), ("100 12.5 25", 400, "100"),
        ("12.5 25", 0.5, "12.5"), ("[0.5 0.5 100]", 10.2, "10.500000"), ("[1 1 100]", 1000, "100"),
        ("[1 1 100]", 0.1, "1"),
    ])
    func `the slowest frequency that is fast enough is taken`(list: String, wish: Double, choice: String) {
        #expect(SamplingChoice.value(for: wish, among: Array(list.utf8)) == choice)
    }

    @Test(arguments: ["", "fast slow", "[1 100]", "0 0", "-5", "12.5 nan"])
    func `a list without values chooses nothing`(list: String) {
        #expect(SamplingChoice.value(for: 50, among: Array(list.utf8)) == nil)
    }

    @Test func `a frequency is written with six places`() {
        #expect(SamplingChoice.decimal(50) == "50.000000")
        #expect(SamplingChoice.decimal(0.1) == "0.100000")
        #expect(SamplingChoice.decimal(33.3333333) == "33.333333")
    }

    @Test(arguments: ["\n", "\0", "\n\0", "\r\n", " \t\n"])
    func `what follows a format is no part of it`(end: String) {
        #expect(CellFormat(Array("le:s12/16>>4\(end)".utf8)) == CellFormat(Array("le:s12/16>>4".utf8)))
        #expect(CellFormat(Array("le:s12/16>>4".utf8)) != nil)
    }

    @Test func `of a long list the first rates count`() {
        let list = (1...300).map(String.init).joined(separator: " ")
        #expect(SamplingChoice.value(for: 1000, among: Array(list.utf8)) == "256")
        #expect(SamplingChoice.value(for: 100, among: Array(list.utf8)) == "99")
    }

    @Test func `a format is found in the first 64 bytes`() {
        for (zeros, isFound) in [(57, true), (58, false)] {
            let text = "le:s" + String(repeating: "0", count: zeros) + "12/16"
            #expect((SampleFormat(Array(text.utf8))?.bits == 12) == isFound)
        }
    }
}

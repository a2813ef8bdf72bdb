import GPSD
import Support
import Testing

@Suite struct LineSplitterTests {
    @Test func `every split of the stream gives the same lines`() {
        let stream = Array("\(Recorded.greetings[1])\r\n\r\n\(Recorded.open)\n\(Recorded.noFix)\r\n".utf8)
        let lines = [Recorded.greetings[1], Recorded.open, Recorded.noFix].map { Array($0.utf8) }
        for cut in 0...stream.count {
            var splitter = LineSplitter()
            #expect(splitter.take(Array(stream[..<cut])) + splitter.take(Array(stream[cut...])) == lines)
        }
        var splitter = LineSplitter()
        #expect(stream.flatMap { splitter.take([$0]) } == lines)
    }

    @Test func `a line beyond the bound is skipped to its end and counted`() {
        var splitter = LineSplitter()
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
        for _ in 0..<256 { #expect(splitter.take(chunk).isEmpty) }
        #expect(splitter.take(Array("tail\nnext\n".utf8)) == [Array("next".utf8)])
        #expect(splitter.oversized == 1)
    }

    @Test func `a line of exactly the bound is kept`() {
        var splitter = LineSplitter(limit: 8)
        #expect(splitter.take(Array("12345678\n123456789\nend\n".utf8)).map(\.count) == [8, 3])
        #expect(splitter.oversized == 1)
    }

    @Test func `mutants give the same lines whole and byte by byte, and none beyond the bound`() {
        let seeds = ["one\r\n\r\ntwo, of some length\nthree\r\n", "\n\r\n\r\r\n", "no end"].map { Array($0.utf8) }
        for mutant in Mutations(of: seeds, count: 5_000) {
            var whole = LineSplitter(limit: 12)
            var single = LineSplitter(limit: 12)
            let lines = whole.take(mutant)
            #expect(lines == mutant.flatMap { single.take([$0]) })
            #expect(lines.allSatisfy { $0.count <= 12 && !$0.isEmpty && !$0.contains(0x0a) })
        }
    }
}

import Support
import PhoneKit
import Testing

/// The file from which a dialog is resumed.
@Suite struct ConsentRecordTests {
    @Test func `a written record reads back equal`() throws {
        let some = ConsentRecord(["location": .accepted, "microphone": .refused])
        for record in [ConsentRecord(), some] {
            #expect(try ConsentRecord(parsing: Array(record.text.utf8), file: "c") == record)
        }
        #expect(some.text.hasSuffix("location: accepted\nmicrophone: refused\n"))
    }

    @Test(arguments: [
        ("location: yes\n", "c:1:11: expected accepted or refused, found \"yes\""),
        ("moton: accepted\n", "c:1:1: expected one of the services, found \"moton\" (did you mean \"motion\"?)"),
        ("- location\n", "c:1:1: expected a mapping of services"),
    ])
    func `faults have a place`(text: String, expected: String) {
        let error = #expect(throws: (any Error).self) { try ConsentRecord(parsing: Array(text.utf8), file: "c") }
        #expect(error.map { "\($0)".hasPrefix(expected) } == true, "\(String(describing: error))")
    }

    @Test func `mutants are read or refused`() {
        let seeds = [
            ConsentRecord(["location": .accepted, "microphone": .refused]).text, "{\"motion\": \"accepted\"}",
        ].map { Array($0.utf8) }
        var read = 0
        for mutant in Mutations(of: seeds, count: 4000) {
            guard let record = try? ConsentRecord(parsing: mutant, file: "m") else { continue }
            read += 1
            #expect((try? ConsentRecord(parsing: Array(record.text.utf8), file: "m")) == record)
        }
        #expect(read > 100)
    }
}

import Testing

/// A program written against Apple's names: the scenario itself waits for each line, in order.
@Suite struct PhoneAppTests {
    /// The output of one stream of the program, without repetitions.
    private func said(_ stream: String) throws -> [String] {
        let lines = try Bench.text("phone-app.txt").split(separator: "\n").map(String.init)
        let words = lines.filter { $0.hasPrefix(stream + " ") }.map { String($0.dropFirst(stream.count + 1)) }
        return words.reduce(into: []) { kept, line in if kept.last != line { kept.append(line) } }
    }

    @Test func `every change of the authorization is reported once`() throws {
        #expect(
            try said("authorization") == [
                "undecided", "in use full", "in use reduced", "denied", "restricted", "denied", "always full",
            ])
    }

    @Test func `under reduced accuracy positions are coarse and never gpsd's`() throws {
        let updates = try said("update")
        #expect(updates.contains { $0.hasPrefix("exact 52.51646 13.37572 ± ") })
        #expect(updates.count { $0.hasPrefix("coarse 52.5 13.4 ± ") } == 1)
        let coarse = try #require(updates.firstIndex { $0.hasPrefix("coarse") })
        #expect(updates[coarse...].dropFirst().first == "denied")
        for reason in ["unavailable", "not in use", "denied", "restricted"] {
            #expect(updates.contains(reason), "\(reason)")
        }
    }

    @Test func `every state of Bluetooth is reported`() throws {
        // While the kernel's Bluetooth is loaded, and a controller appears, nothing is known.
        var states = try said("bluetooth").filter { $0 != "unknown" }
            .reduce(into: [String]()) { kept, state in if kept.last != state { kept.append(state) } }
        // A controller appears before it is switched on; a fast reader sees that too.
        if states.dropFirst().first == "powered off" { states.remove(at: 1) }
        #expect(
            states == [
                "unsupported", "powered on", "powered off", "powered on", "unauthorized", "powered on", "unsupported",
            ])
    }
}

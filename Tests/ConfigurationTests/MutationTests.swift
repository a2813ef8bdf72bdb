import LocalRig
import Readiness
import Support
import Testing

@Suite("Damaged configurations")
struct MutationTests {
    static let seeds: [[UInt8]] = [
        ConfigurationTests.everything,
        #"{"services":[{"driving":["dfd"]},"walking"],"options":{"deviceDiscovery":{"startDelay":120}},"rules":"2.4"}"#,
        "timelineDetectionServices: [DRIVING, WALKING]\ndrivingServices: [DFD]\nwalkingServices: [LOCATION]\n",
        "a: &x [1, *x]\nb: !!str >\n  folded\n  text\n--- |\n second\n? {k: v}\n: \"\\x41\\u20ac\\U0001F600\"\n",
        "%YAML 1.1\n%TAG ! tag:x,2000:\n---\nservices: ['driving', \"walking\"]\n...\n",
    ].map { Array($0.utf8) }

    @Test func `damage gives a configuration or one line with a place inside the file, and never a crash`() {
        var read = 0
        var refused = 0
        for mutant in Mutations(of: Self.seeds, count: 10_000) {
            do {
                let configuration = try RigConfiguration(parsing: mutant, file: "rig.yaml")
                read += 1
                if let services = configuration.services {
                    #expect(!services.isEmpty)
                    #expect(services.withParents == services)
                }
            } catch {
                refused += 1
                #expect(error.description.hasPrefix("rig.yaml:"))
                #expect(!error.description.contains { $0.isNewline })
                // libyaml counts CR, NEL and the Unicode separators as line ends too: no more lines than bytes.
                #expect((1...mutant.count + 1).contains(error.line ?? 0), "\(mutant)")
                #expect((1...mutant.count + 1).contains(error.column ?? 0), "\(mutant)")
            }
        }
        #expect(read > 100)
        #expect(refused > 100)
    }
}

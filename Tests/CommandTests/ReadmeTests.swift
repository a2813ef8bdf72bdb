import Foundation
import Testing

/// README and the manual: every sample shows what the program prints, and every link leads to a file.
@Suite struct ReadmeTests {
    static let files: [String] = {
        let folder = Tool.repository.appending(path: "Documentation")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
    }()

    private func listing(of file: String) throws -> ConsoleSample.Listing {
        let text = try String(contentsOf: Tool.repository.appending(path: file), encoding: .utf8)
        return ConsoleSample.listing(of: text, in: file)
    }

    @Test(arguments: Self.files) func `samples are what the program prints`(file: String) throws {
        let listing = try listing(of: file)
        #expect(listing.unchecked == [], "output outside of a console block, or before its first command")
        for sample in listing.samples {
            for difference in try sample.differences() { Issue.record("\(difference)") }
        }
    }

    @Test func `README and the manual have samples`() throws {
        #expect(Self.files.count > 8)
        #expect(try listing(of: "README.md").samples.isEmpty == false)
        #expect(try listing(of: "Documentation/commands.md").samples.count > 2)
    }

    @Test(arguments: Self.files) func `links lead to files`(file: String) throws {
        let place = Tool.repository.appending(path: file)
        let text = try String(contentsOf: place, encoding: .utf8)
        for link in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
            let target = place.deletingLastPathComponent().appending(path: String(link.1))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(file): \(link.1)")
        }
    }

    @Test(arguments: [
        ("$ rigready --rig demo\nwrong", false), ("$ rigready --version\n0.2.0\n$ echo $?\n0", true),
        ("$ rigready --version\n0.2.0\n$ echo $?\n1", false), ("$ rigready --version\n…", true),
        ("$ rigready services\n  rules 2.14\n…", true), ("$ rigready services\n…\n  rules 2.14", false),
        ("$ cat c.yaml\nservices: [places]\n$ rigready --rig demo --config c.yaml | head -1\n…", true),
    ])
    func `a sample is compared line by line`(text: String, isTrue: Bool) throws {
        let listing = ConsoleSample.listing(of: "```console\n\(text)\n```\n", in: "sample")
        let sample = try #require(listing.samples.first)
        #expect(try sample.differences().isEmpty == isTrue)
    }

    @Test func `output that no test compares is found`() {
        for text in ["    ✗ driving", "```\n  ✓ walking\n```", "    ! assistance call", "```console\n ✗ health\n```"] {
            #expect(ConsoleSample.listing(of: text, in: "sample").unchecked.count == 1)
        }
        #expect(ConsoleSample.listing(of: "```console hardware\n✗ driving\n```", in: "sample").unchecked == [])
    }
}

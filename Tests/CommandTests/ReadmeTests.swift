import Foundation
import Testing

@Suite struct ReadmeTests {
    @Test func thePictureIsWhatIsPrinted() throws {
        let readme = try String(contentsOf: Tool.repository.appending(path: "README.md"), encoding: .utf8)
        let lines = try Program.run("--rig", "field-kit").output.split(separator: "\n").map { "    " + $0 }
        #expect(lines.count > 20)
        // The first line says when it was recorded.
        #expect(lines.dropFirst().first { !readme.contains($0) } == nil)
    }
}

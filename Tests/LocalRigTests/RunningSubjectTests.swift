import Foundation
import Support
import SystemPackage
import Testing

@testable import LocalRig

/// The names of containers in control groups, and those that Podman and Docker give them.
@Suite struct RunningSubjectTests {
    private static let digits = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [
        ("docker-\(digits).scope", digits), ("libpod-\(digits).scope", digits), ("crio-\(digits).scope", digits),
        ("cri-containerd-\(digits).scope", digits), (digits, digits), ("libpod-\(digits)", digits),
        ("machine-bench.scope", "bench"), (#"machine-test\x2drig.scope"#, "test-rig"),
        // No name has control characters.
        (#"machine-a\x00b.scope"#, #"a\x00b"#),
        // The program that watches it, a session, a unit, one digit less, one more, other digits.
        ("libpod-conmon-\(digits).scope", nil), ("session-4.scope", nil), ("docker.service", nil),
        (String(digits.dropLast()), nil), ("\(digits)0", nil), (digits.uppercased(), nil), ("machine.slice", nil),
    ])
    func `a control group has the identifier of its container`(group: String, identifier: String?) {
        #expect(ContainerIdentifier(of: group)?.text == identifier)
    }

    @Test(arguments: [(digits, true), ("0123", true), ("012", false), ("1234", false), ("", false)])
    func `four digits of an identifier suffice`(word: String, isBeginning: Bool) throws {
        #expect(try #require(ContainerIdentifier(of: Self.digits)).begins(with: word) == isBeginning)
    }

    @Test func `the name of a machine is given whole`() throws {
        let machine = try #require(ContainerIdentifier(of: "machine-bench.scope"))
        #expect(machine.begins(with: "bench") && !machine.begins(with: "benc"))
    }

    @Test func `Podman's and Docker's names are known, and damaged files are left out`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            func write(_ text: String, _ path: String) throws {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let other = String(Self.digits.reversed())
            let third = String(repeating: "a", count: 64)
            try write(
                #"[{"id":"\#(Self.digits)","names":["bench","x"],"layer":"l"},{"id":"\#(third)"}]"#,
                "var/lib/containers/storage/overlay-containers/containers.json")
            try write("[{", "var/lib/containers/storage/vfs-containers/containers.json")
            try write(#"{"Name":"/telematics","State":{}}"#, "var/lib/docker/containers/\(other)/config.v2.json")
            try write("{}", "var/lib/docker/containers/\(third)/config.v2.json")
            let names = ContainerIdentifier.names(below: FilePath(folder.path))
            #expect(
                names.map { "\($0.key.text) \($0.value)" }.sorted()
                    == [
                        "\(Self.digits) bench", "\(other) telematics",
                    ].sorted())
        }
    }
}

import LocalRig
import SystemPackage
import Testing

/// The time and the login session of a decision.
@Suite struct CircumstancesTests {
    @Test func `the live ones are those of this boot and process`() throws {
        let file = try FileDescriptor.open(FilePath("/proc/sys/kernel/random/boot_id"), .readOnly)
        let boot = try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 36)
            let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        let first = GrantContext.live
        let second = GrantContext.live
        #expect(first.boot == boot && boot.count == 36)
        #expect(first.uptime > 0 && second.uptime >= first.uptime)
        // A session that logind does not list is ignored.
        #expect(first.session.map(first.sessions.contains) ?? true)
    }

    @Test(arguments: [
        (Validity(boot: "boot-a"), true, true, false),
        (Validity(boot: "boot-a", session: "3"), true, false, false),
        (Validity(boot: "boot-a", session: "4"), true, true, false),
        (Validity(boot: "boot-a", session: "9"), false, false, false),
        (Validity(boot: "boot-a", until: 3600.5), true, true, false),
        (Validity(boot: "boot-a", until: 3600), false, false, false),
        (Validity(boot: "boot-a", session: "3", until: 1), false, false, false),
        (Validity(boot: "boot-b"), false, false, true),
        (Validity(boot: ""), false, false, false),
    ])
    func `a lifetime ends with the first of its bounds`(life: Validity, now: Bool, afterSession: Bool, afterBoot: Bool)
    {
        #expect(life.lasts(Sample.now) == now)
        #expect(life.lasts(Sample.afterSession) == afterSession)
        #expect(life.lasts(Sample.afterBoot) == afterBoot)
        #expect(!Validity(boot: "").lasts(GrantContext(boot: "", uptime: 1)))
    }
}

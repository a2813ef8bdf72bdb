import DriverKit
import Linux
import SystemPackage
import Testing

/// What the files of a process below /proc say of its rights.
@Suite struct ProcessFactsTests {
    private static let status = """
        Name:\tsleep
        Uid:\t1000\t1001\t1001\t1001
        Gid:\t100\t101\t101\t101
        Groups:\t4 27 101\u{20}
        CapInh:\t0000000000000001
        CapPrm:\t0000000000000003
        CapEff:\t0000000000000002
        CapBnd:\t000001ffffffffff
        CapAmb:\t0000000000000001
        NoNewPrivs:\t1
        Seccomp:\t2

        """

    private func facts(
        _ status: String = status, label: String? = nil, groups: String = "0::/system.slice/a.service\n",
        users: String = "         0          0 4294967295\n"
    ) throws -> ProcessFacts {
        try ProcessFacts(7, status: status, label: label, controlGroups: groups, users: users, groups: users)
    }

    @Test func `the effective numbers and the sets of capabilities are read`() throws {
        let facts = try facts()
        #expect(facts.user == 1001 && facts.group == 101 && facts.groups == [4, 27, 101])
        #expect(facts.inheritable == 1 && facts.permitted == 3 && facts.effective == 2 && facts.ambient == 1)
        #expect(facts.bounding == 0x1ff_ffff_ffff && facts.hasNoNewPrivileges && facts.isFiltered)
        #expect(facts.account == Account(user: 1001, groups: [4, 27, 101]))
    }

    @Test(arguments: [
        "Uid", "Gid", "Groups", "CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp",
    ])
    func `a status without a line is malformed`(name: String) {
        let lines = Self.status.split(separator: "\n").filter { !$0.hasPrefix("\(name):") }
        #expect(throws: DriverError.self) { try facts(lines.joined(separator: "\n")) }
    }

    @Test(arguments: [
        (nil, nil), ("unconfined\n", nil), ("unconfined", nil), ("", nil), ("\n", nil),
        ("docker-default (enforce)\n", "docker-default (enforce)"),
        ("system_u:system_r:gpsd_t:s0\0", "system_u:system_r:gpsd_t:s0"),
    ])
    func `a label is that of a process that is confined`(text: String?, label: String?) throws {
        #expect(try facts(label: text).label == label)
    }

    @Test(arguments: [
        ("0::/system.slice/a.service\n", ["/sys/fs/cgroup/system.slice/a.service"]),
        ("5:devices:/a\n4:cpu,cpuacct:/a\n0::/b\n", ["/sys/fs/cgroup/devices/a", "/sys/fs/cgroup/b"]),
        ("7:devices,freezer:/c\n", ["/sys/fs/cgroup/devices,freezer/c"]),
        // Outside of this process's view of the hierarchy.
        ("0::/../b\n", []), ("nothing\n", []), ("", []),
    ])
    func `the control groups that may decide are those of devices`(text: String, folders: [FilePath]) throws {
        let facts = try facts(groups: text)
        #expect(facts.controlGroups == folders && facts.hasHiddenControlGroup == text.contains("/.."))
    }

    @Test(arguments: [
        (99_999, nil), (100_000, 0), (100_001, 1), (165_535, 65_535), (165_536, nil), (1000, 65_536), (1001, nil),
    ])
    func `a user namespace shows the numbers of its map`(outside: UInt32, inside: UInt32?) {
        let map = IdentifierMap(parsing: "0 100000 65536\n65536 1000 1\nmalformed\n")
        #expect(map.inside(outside) == inside)
    }

    @Test func `this process has facts, and one that does not exist has none`() throws {
        let own = try ProcessFacts(of: 1)
        #expect(own.number == 1)
        #expect(throws: DriverError.self) { try ProcessFacts(of: 0x3fff_ffff) }
    }
}

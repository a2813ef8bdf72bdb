import DriverKit
import Support
import Testing

/// Access by owner, group, mode and access control list.
@Suite struct NodeStatusTests {
    private static let alice = Account(user: 1000, groups: [1000, 44])

    private func status(
        _ mode: UInt16, owner: UInt32 = 0, group: UInt32 = 0, _ entries: [AccessEntry] = []
    ) -> NodeStatus {
        NodeStatus(owner: owner, group: group, mode: mode, entries: entries, readable: false)
    }

    @Test(
        arguments: [
            (0o400, 1000, 0, AccessRight.owner), (0o040, 0, 44, .group(44)), (0o004, 0, 0, .others),
            (0o440, 1000, 44, .owner), (0o044, 0, 44, .group(44)), (0o000, 1000, 44, nil), (0o220, 1000, 44, nil),
            // A matching class decides alone: what the next would allow is ignored.
            (0o044, 1000, 44, nil), (0o004, 0, 44, nil), (0o004, 1000, 0, nil),
        ] as [(UInt16, UInt32, UInt32, AccessRight?)])
    func `the first class that matches decides`(mode: UInt16, owner: UInt32, group: UInt32, expected: AccessRight?) {
        #expect(status(mode, owner: owner, group: group).right(of: Self.alice) == expected)
    }

    @Test func `a list is read in the order of the kernel`() {
        let seat = AccessEntry(.user(1000), 0o6)
        let none = AccessEntry(.owningGroup, 0)
        func right(_ mode: UInt16, _ entries: [AccessEntry], owner: UInt32 = 0, group: UInt32 = 0) -> AccessRight? {
            status(mode, owner: owner, group: group, entries).right(of: Self.alice)
        }
        #expect(right(0o660, [seat, none]) == .userEntry(1000))
        #expect(right(0o660, [AccessEntry(.user(1001), 0o6), none]) == nil)
        // The mask limits entries and the owning group, but not the owner or others.
        #expect(right(0o620, [seat, none]) == nil)
        #expect(right(0o620, [AccessEntry(.owningGroup, 0o6)], group: 44) == nil)
        #expect(right(0o420, [seat, none], owner: 1000) == .owner)
        #expect(right(0o624, [none]) == .others)
        // A user's own entry ends the search even if it refuses.
        #expect(right(0o664, [AccessEntry(.user(1000), 0), none]) == nil)
        // One group that allows is enough; a group that refuses overrides others.
        #expect(right(0o660, [AccessEntry(.group(44), 0o4), none]) == .groupEntry(44))
        #expect(right(0o660, [none, AccessEntry(.group(44), 0o4)], group: 1000) == .groupEntry(44))
        #expect(right(0o664, [none, AccessEntry(.group(44), 0)]) == nil)
        #expect(right(0o664, [none, AccessEntry(.group(45), 0)]) == .others)
        // With an empty mask the kernel does not read the list.
        #expect(right(0o604, [AccessEntry(.user(1000), 0o6), none]) == .others)
    }

    @Test func `a lasting right is reported before the seat's`() {
        let seat = AccessEntry(.user(1000), 0o6)
        let byGroup = status(0o660, group: 44, [seat, AccessEntry(.owningGroup, 0o6)])
        #expect(byGroup.right(of: Self.alice) == .group(44))
        let byList = status(0o660, [seat, AccessEntry(.owningGroup, 0), AccessEntry(.group(44), 0o4)])
        #expect(byList.right(of: Self.alice) == .groupEntry(44))
        let byAll = status(0o664, [seat, AccessEntry(.owningGroup, 0)])
        #expect(byAll.right(of: Self.alice) == .others)
        let alone = status(0o660, [seat, AccessEntry(.owningGroup, 0o6)])
        #expect(alone.right(of: Self.alice)?.endsWithSeat == true)
        #expect(byGroup.right(of: Self.alice)?.endsWithSeat == false)
    }

    @Test func `every permission has its own bits`() {
        for mode in [0o400, 0o100, 0o500, 0o200] as [UInt16] {
            let node = status(mode, owner: 1000)
            #expect((node.right(of: Self.alice) != nil) == (mode & 0o400 != 0))
            #expect((node.right(of: Self.alice, to: 0o1) != nil) == (mode & 0o100 != 0))
        }
        let folder = status(0o710, group: 44)
        #expect(folder.right(of: Self.alice, to: 0o1) == .group(44))
        #expect(folder.right(of: Self.alice, to: 0o4) == nil)
        #expect(folder.right(of: Self.alice, to: 0o5) == nil)
    }

    @Test func `a status is shown as a listing`() {
        var node = status(0o660, owner: 0, group: 104, [AccessEntry(.user(1000), 0o4)])
        #expect(node.clause == "rw-rw----+ 0:104")
        node.readable = true
        node.right = .userEntry(1000)
        #expect(node.clause == "rw-rw----+ 0:104, readable by the access control entry of user 1000 alone")
        #expect(status(0o7777).clause == "rwxrwxrwx 0:0")
    }

    @Test(arguments: [
        AccessRight.owner, .group(0), .group(.max), .others, .userEntry(1000), .groupEntry(44), .capability,
    ])
    func `a right is parsed from its name`(right: AccessRight) {
        #expect(AccessRight(id: right.id) == right)
    }

    @Test(arguments: [
        "", ":", "owner:1", "others:", "group", "group:", "group:-1", "group:4294967296", "group:1:2", "userEntry:x",
        "capability:0", "root",
    ])
    func `an unknown name is not a right`(word: String) {
        #expect(AccessRight(id: word) == nil)
    }
}

/// The bytes of an access control list, which any program may have written.
@Suite struct AccessEntryTests {
    // Version 2; user:: rw-, user:1000 r--, group:: ---, group:44 r-x, mask:: rw-, other:: ---.
    static let list: [UInt8] = [
        2, 0, 0, 0,
        0x01, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,
        0x02, 0, 4, 0, 0xe8, 0x03, 0, 0,
        0x04, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
        0x08, 0, 5, 0, 44, 0, 0, 0,
        0x10, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,
        0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
    ]

    @Test func `entries beyond the mode are read`() {
        #expect(
            AccessEntry.entries(parsing: Self.list) == [
                AccessEntry(.user(1000), 4), AccessEntry(.owningGroup, 0), AccessEntry(.group(44), 5),
            ])
    }

    @Test func `an invalid list has no entries`() {
        #expect(AccessEntry.entries(parsing: []) == [])
        for count in 1..<Self.list.count where !(count - 4).isMultiple(of: 8) {
            #expect(AccessEntry.entries(parsing: Array(Self.list.prefix(count))) == [], "\(count)")
        }
        #expect(AccessEntry.entries(parsing: [1] + Self.list.dropFirst()) == [])
        #expect(AccessEntry.entries(parsing: [2, 0, 0, 1] + Self.list.dropFirst(4)) == [])
        #expect(AccessEntry.entries(parsing: [2, 0, 0, 0, 0x99, 0, 7, 0, 0, 0, 0, 0]) == [])
    }

    @Test func `damage stays in bounds`() {
        let account = Account(user: 1000, groups: [44])
        for mutant in Mutations(of: [Self.list], count: 20_000) {
            let entries = AccessEntry.entries(parsing: mutant)
            #expect(entries.count * 8 + 4 <= max(4, mutant.count))
            let node = NodeStatus(owner: 0, group: 0, mode: 0o070, entries: entries, readable: false)
            // Whatever the list contains, the resulting right is named by the list or the mode.
            switch node.right(of: account) {
            case .userEntry(let user): #expect(user == 1000)
            case .groupEntry(let group): #expect(group == 44)
            case let right: #expect(right == nil)
            }
        }
    }
}

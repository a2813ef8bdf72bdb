import Testing

/// Why a user may not capture: each cause is created, reported, and fixed by its remedy.
///
/// The machine has no sudo, so no command begins with it.
@Suite struct DenialBenchTests {
    private static let rule = "/run/udev/rules.d/70-rigready-iio.rules"
    private static let reload = "udevadm control --reload"
    private static let trigger = "udevadm trigger --action=change"
    private static let all = "\(reload) && \(trigger) --subsystem-match=iio"

    private static let findings: [(name: String, words: String, remedy: String)] = [
        ("rule-not-installed", "is not installed", "Scripts/install"),
        ("group-missing", "does not exist", "groupadd --system --force iio && \(all)"),
        (
            "rule-masked", "/etc/udev/rules.d/70-rigready-iio.rules, which is empty, masks the udev rule",
            "rm /etc/udev/rules.d/70-rigready-iio.rules && \(all)"
        ),
        ("not-triggered", "since \(rule) was installed", "\(reload) && \(trigger) /dev/iio:device0"),
        ("not-in-group", "this user is not in that group", "usermod -aG iio \"$(id -un)\""),
        ("not-in-session", "but this login session is not", "log out and in again"),
        ("excluded", "keeps this user out", "setfacl -m \"u:$(id -un):rw\" /dev/iio:device0"),
        ("undone", "but the group of the node is another one", all),
        ("not-reloaded", "udev processed the device before it read \(rule)", all),
    ]

    @Test func `each cause is reported separately`() throws {
        for finding in Self.findings {
            let bench = try Bench.case("denial-\(finding.name)")
            #expect(bench.standing("motion") == "unmet denied", "\(finding.name)")
            let motion = bench.report.authorizations.motion
            #expect(motion.evidence.hasPrefix("/dev/iio:device0: "), "\(finding.name)")
            for other in Self.findings {
                #expect(motion.evidence.contains(other.words) == (other.name == finding.name), "\(finding.name)")
            }
            let remedy = try #require(bench.requirement("motion")?.remedy)
            #expect(remedy.contains(finding.remedy), "\(finding.name)")
            #expect(bench.sensors("gyroscope").map(\.availability) == ["available"])
        }
    }

    @Test(arguments: ["mended", "undone-mended", "not-reloaded-mended"])
    func `the remedy fixes the cause`(step: String) throws {
        #expect(try Bench.case("denial-\(step)").standing("motion") == "met")
    }

    @Test func `if udev knows the rule, only the device is triggered`() throws {
        let bench = try Bench.case("denial-other-triggered")
        #expect(bench.standing("motion") == "unmet denied")
        #expect(bench.requirement("motion")?.remedy == "\(Self.trigger) /dev/iio:device1")
        #expect(try Bench.case("denial-other-triggered-mended").standing("motion") == "met")
    }
}

/// What `fix` does on a rig with three faults.
@Suite struct FixBenchTests {
    @Test func `fix repairs a rig with the commands of the report`() throws {
        let lines = try Bench.text("fix.txt").split(separator: "\n").map(String.init)
        for command in ["gpsd ", "modprobe bmi160_i2c", "rfkill unblock bluetooth"] {
            #expect(lines.count { $0.contains("→ \(command)") } == 1, "\(lines)")
        }
        #expect(!lines.contains { $0.contains("failed with") }, "\(lines)")
        let after = try Bench.case("fix-after")
        for service in ["driving", "driving.deviceDiscovery", "impactDetection"] {
            #expect(after.verdict(service) == "runs", "\(service)")
        }
        #expect(after.standing("gyroscope") == "met" && after.standing("location") == "met")
        #expect(after.standing("bluetooth") == "met")
    }
}

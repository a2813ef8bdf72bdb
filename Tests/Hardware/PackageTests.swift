import Testing

/// The Debian package on a bare Debian with its own udevd, for an ordinary user.
@Suite struct PackageBenchTests {
    @Test func `a fresh board becomes a rig of its user`() throws {
        for (step, standing, evidence) in [
            ("before", "unmet denied", "70-rigready-iio.rules is not installed"),
            ("stranger", "unmet denied", "this user is not in that group"),
            ("old-session", "unmet denied", "this login session is not"),
            ("installed", "met", "readable by group"), ("upgraded", "met", "readable by group"),
            ("removed", "unmet denied", "70-rigready-iio.rules is not installed"),
            ("script", "met", "readable by group"),
            ("script-removed", "unmet denied", "70-rigready-iio.rules is not installed"),
        ] {
            let bench = try Bench.case("package-\(step)")
            #expect(bench.standing("motion") == standing, "\(step)")
            #expect(bench.report.authorizations.motion.evidence.contains(evidence), "\(step)")
            #expect(bench.sensors("gyroscope").map(\.availability) == ["available"], "\(step)")
            #expect(bench.status == (standing == "met" ? 0 : 1), "\(step)")
            for service in ["walking", "cycling"] {
                #expect(bench.verdict(service) == (standing == "met" ? "runs" : "fails"), "\(step) \(service)")
            }
        }
        let installed = try Bench.case("package-installed").report
        let unmet = installed.requirements.filter { $0.standing != "met" }
        let bus = try Bench.text("package-bus.txt")
        #expect(unmet.isEmpty, "\(unmet), the bus: \(bus)")
        #expect(installed.services.allSatisfy { $0.verdict == "runs" })
        #expect(try Bench.text("package-text.txt").contains("all 13 services run"))
        #expect(try Bench.text("package-links.txt").contains("i2c-0-0069-gyroscope -> ../../iio:device"))
    }

    @Test func `dpkg reports no errors and nothing is left`() throws {
        let log = try Bench.text("package.txt")
        for step in [
            "Setting up rigready (0.2.0-1)", "(0.2.0-2) over (0.2.0-1)", "Removing rigready", "Purging",
            "reloading udev's rules", "removed  /usr/lib/udev/rules.d/70-rigready-iio.rules",
            "reset to root  /dev/iio:device0",
        ] {
            #expect(log.contains(step), "\(step)")
        }
        #expect(log.contains("Creating group 'iio'"))
        for word in ["rror", "arning", "ailed", "dpkg: "] { #expect(!log.contains(word), "\(word)") }
        #expect(try Bench.text("package-left.txt") == "")
    }

    /// The scenario itself waits for the service of each version.
    @Test(.enabled(if: Bench.olderPackage != nil)) func `an older version and this one follow each other`() throws {
        let versions = try Bench.text("upgrade-versions.txt").split(whereSeparator: \.isWhitespace)
        #expect(versions.count == 2 && versions.first != versions.last)
        let reads = try Bench.text("upgrade-reads.txt").split(separator: "\n").map { $0.split(separator: " ") }
        #expect(reads.count == 15)
        for read in reads {
            // The older version may refuse what it does not know.
            let allowed = read[0] == "downgraded" ? ["0", "66"] : ["0"]
            #expect(allowed.contains(String(read[1])), "\(read)")
        }
        // dpkg warns of each downgrade.
        let log = try Bench.text("upgrade.txt").split(separator: "\n").filter { !$0.contains("downgrading rigready") }
            .joined(separator: "\n")
        for word in ["rror", "arning", "ailed", "dpkg: "] { #expect(!log.contains(word), "\(word)") }
        #expect(try Bench.text("upgrade-end.txt") == "inactive\n")
    }
}

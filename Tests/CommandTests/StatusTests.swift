import Foundation
import Testing

/// The exit status and the complaints of the contract.
@Suite struct StatusTests {
    @Test func aReadyRigIsZero() throws {
        let run = try Program.run("--rig", "demo")
        #expect(run.status == 0)
        #expect(run.complaints == "")
        #expect(run.output.contains("all 13 services run"))
    }

    @Test(arguments: [
        (["chekc"], "Did you mean 'check'?"),
        (["--rules", "3"], "Did you mean 2.14?"),
        (["explain", "impct"], "Did you mean 'impact'?"),
        (["--service", "dfdd"], "there is no service 'dfdd'"),
        (["--sensor", "gyroscpe=x"], "Did you mean 'gyroscope'?"),
        (["--sensor", "gyroscope"], "KIND=KEY"),
        (["--gpsd", "host:port"], "gpsd"),
        (["--depth", "deep"], "depth"),
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "nan"], "--timeout"),
        (["--iio", "tcp:x"], "--iio takes"),
        (["--formt", "json"], "--format"),
        (["--rules", "1.x", "--service", "health"], "health (since 2.14)"),
        (["--rules", "2.0", "--background-location-mandatory"], "backgroundLocationPermissionMandatory"),
        (["watch"], "no command 'watch'"),
        (["--format", "junit"], "junit"),
    ])
    func wrongWordsAreSixtyFour(words: [String], hint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains(hint), "\(run.complaints)")
    }

    @Test func aFileThatIsNotThereIsSixtySix() throws {
        for option in ["--config", "--rig"] {
            let run = try Program.run(option, "/no/such/file")
            #expect(run.status == 66)
            #expect(run.output == "")
            #expect(run.complaints.contains("/no/such/file"))
            #expect(run.complaints.contains("expected"))
            #expect(run.complaints.split(separator: "\n").count == 1)
        }
    }

    @Test func aConfigurationErrorNamesItsPlace() throws {
        try Program.withFile("services:\n  - drivng\n") { file in
            let run = try Program.run("--config", file, "--rig", "demo")
            #expect(run.status == 66)
            #expect(run.complaints.contains("\(file):2:5"))
            #expect(run.complaints.contains("driving"))
        }
    }

    @Test func aServiceOutsideTheConfigurationIsSixtyFour() throws {
        try Program.withFile("services: [cycling]\n") { file in
            let run = try Program.run("--config", file, "--service", "walking", "--rig", "demo")
            #expect(run.status == 64)
            #expect(run.complaints.contains("walking"))
        }
    }

    @Test func whatALicenceLacksIsOne() throws {
        let run = try Program.run("--rig", "demo", "--service", "cycling", "--licence", "walking")
        #expect(run.status == 1)
        #expect(run.output.contains("not in the licence"))
    }

    @Test func aRecordingThatCannotAnswerIsTwo() throws {
        let run = try Program.run("--rig", "demo", "--gpsd", "example.org:99", "--service", "places")
        #expect(run.status == 2)
        #expect(run.output.contains("cannot tell"))
    }

    @Test func anOutputThatCannotBeWrittenIsSeventyThree() throws {
        let run = try Program.run("record", "/no/such/folder/file", "--rig", "demo")
        #expect(run.status == 73)
        #expect(run.complaints.contains("/no/such/folder/file"))
    }

    @Test(arguments: ["sensors", "services"])
    func listsAreZeroWheneverPrinted(command: String) throws {
        #expect(try Program.run(command, "--format", "json").status == 0)
    }

    @Test func helpTeaches() throws {
        let run = try Program.run("--help")
        #expect(run.status == 0)
        #expect(run.output.contains("Exit status"))
        #expect(try Program.run("--version").output == "0.1.0\n")
    }
}

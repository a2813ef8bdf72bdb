import Foundation
import Testing

/// The service under a real systemd, and a long-running watch: the scenarios wait for the expected events.
@Suite struct ServiceBenchTests {
    @Test func `the file belongs to the group and the service has no privileges`() throws {
        #expect(try Bench.text("service-file.txt") == "640 rigready iio\n755 rigready iio\n")
        let status = try Bench.text("service-status.txt")
        for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"] {
            #expect(status.contains(line))
        }
        #expect(status.contains("Uid:\t850\t850\t850\t850"))
    }

    @Test func `a reader of the file need not probe`() throws {
        let cached = try Bench.case("service-cached")
        let probed = try Bench.recordedReport("service")
        #expect(cached.report.sensors.map(\.key) == probed.sensors.map(\.key))
        for sensor in cached.report.sensors { #expect(sensor.availability == "available") }
        let receiver = try #require(cached.sensors("locationReceiver").first?.reading)
        #expect(receiver.latitude == 52.5 && receiver.longitude == 13.4)
        #expect(cached.standing("motion") == "met")
        #expect(cached.standing("preciseLocation") == "met")
    }

    @Test func `access is the caller's own`() throws {
        #expect(try Bench.case("service-cached-root").standing("motion") == "met")
        let other = try Bench.case("service-cached-as")
        #expect(other.standing("motion") == "unmet denied")
        #expect(other.verdict("walking") == "fails")
        #expect(other.sensors("accelerometer").allSatisfy { $0.access == "denied" && $0.availability == "available" })
    }

    @Test func `a stranger may not even read the file`() throws {
        #expect(try Bench.text("service-cached-stranger.status") == "66\n")
        let complaint = try Bench.text("service-cached-stranger.err")
        #expect(complaint.contains("/run/rigready/report.json: Permission denied (EACCES)"))
    }

    @Test func `a change is in the file at once`() throws {
        #expect(try Bench.case("service-after-change").standing("bluetooth") == "unmet poweredOff")
    }

    @Test func `the report of a stuck or ended service is not used`() throws {
        for name in ["service-stuck", "service-killed"] {
            let found = try Bench.case(name)
            #expect(found.status == 2)
            #expect(found.standing("gyroscope") == "unknown indeterminate")
        }
    }

    @Test func `stopping does not wait for a process that the kernel holds`() throws {
        #expect(try Bench.text("service-stop.txt").contains("blocked"))
    }

    /// Descriptors, threads and KiB of private memory, before thousands of events and after each quarter of them.
    ///
    /// Memory that is freed stays with the process for the next burst, so a single quarter may grow. A leak grows in each
    /// of them: one of 24 bytes an event, put in to see it, was 68 KiB or more a quarter.
    @Test func `thousands of events leave nothing behind`() throws {
        let lines = try Bench.text("endurance-holdings.txt").split(separator: "\n").map { $0.split(separator: " ") }
        let holdings = lines.filter { $0[0] != "idle" }.map { $0.dropFirst().compactMap { Int($0) } }
        try #require(holdings.count == 5 && holdings.allSatisfy { $0.count == 3 })
        for quarter in holdings.dropFirst() {
            #expect(quarter[0] <= holdings[0][0] && quarter[1] <= holdings[0][1], "\(holdings)")
        }
        let growth = zip(holdings, holdings.dropFirst()).map { $1[2] - $0[2] }
        #expect(growth.min() ?? .max <= 12 && holdings[4][2] <= holdings[0][2] + 4096, "\(holdings)")
        #expect(try Bench.case("endurance-end").standing("accelerometer") == "met")
    }

    /// The highest numbers of processes, descriptors, threads and KiB of private memory in each quarter of the time.
    @Test func `a watch beside a frozen hub does not grow`() throws {
        let lines = try Bench.text("frozen-watch-holdings.txt").split(separator: "\n").map { $0.split(separator: " ") }
        let quarters = lines.filter { $0[0].hasPrefix("quarter") }.map { $0.dropFirst().compactMap { Int($0) } }
        try #require(quarters.count == 4 && quarters.allSatisfy { $0.count == 4 })
        for quarter in quarters {
            #expect(quarter[0] <= 3 && quarter[1] <= 48 && quarter[2] <= 20, "\(quarters)")
            #expect(quarter[3] <= quarters[0][3] + 1024, "\(quarters)")
        }
        #expect(try Bench.text("frozen-watch.txt").contains("accelerometer: met → silent"))
    }

    @Test func `without an event nothing wakes`() throws {
        #expect(try Bench.text("endurance-holdings.txt").contains("idle 0\n"))
    }

    @Test func `the latency is compared with a bare listener`() throws {
        let latencies = try Latencies()
        #expect(latencies.management.count >= 40)
        #expect(latencies.uevents.count >= 16)
        // No limit: the machine is emulated. What is reported after the kernel's event is reported after it.
        for latency in latencies.management + latencies.uevents { #expect(latency > 0) }
        print("watch beside a bare listener, in the emulated machine:", latencies.words)
    }
}

/// How long after the bare listener's line the watch's line came, in milliseconds.
private struct Latencies {
    var management: [Double] = []
    var uevents: [Double] = []

    init() throws {
        func rows(_ file: String) throws -> [(time: Double, words: String)] {
            try Bench.text(file).split(separator: "\n").compactMap { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let time = Double(parts[0]) else { return nil }
                return (time / 1e6, String(parts[1]))
            }
        }
        let lines = try rows("latency-lines.txt")
        let settings = try rows("latency-management.txt").filter { $0.words == "6" }.map(\.time)
        let devices = try rows("latency-uevents.txt").filter { $0.words.contains("/iio:device") }.map(\.time)
        for line in lines {
            func since(_ events: [Double]) -> Double? { events.last { $0 < line.time }.map { line.time - $0 } }
            if line.words.contains("Bluetooth: "), let latency = since(settings) { management.append(latency) }
            if line.words.contains("accelerometer: "), let latency = since(devices) { uevents.append(latency) }
        }
    }

    var words: String {
        func quantiles(_ values: [Double]) -> String {
            let sorted = values.sorted()
            guard let last = sorted.last else { return "none" }
            return "median \(sorted[sorted.count / 2].rounded()) ms, most \(last.rounded()) ms of \(sorted.count)"
        }
        return "management socket \(quantiles(management)); udev \(quantiles(uevents))"
    }
}

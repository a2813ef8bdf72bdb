import Foundation
import Testing

/// The product's udev rules, read and run by the real udevd.
@Suite struct RuleBenchTests {
    @Test func `motion comes and goes with the rules`() throws {
        for (step, standing) in [
            ("before", "unmet denied"), ("group", "met"), ("stranger", "unmet denied"), ("plugged-in", "met"),
            ("removed", "unmet denied"),
        ] {
            let bench = try Bench.case("rules-\(step)")
            #expect(bench.standing("motion") == standing, "\(step)")
            // Raw values are readable by everyone.
            #expect(bench.sensors("accelerometer").allSatisfy { $0.availability == "available" }, "\(step)")
        }
        #expect(try Bench.case("rules-before").requirement("motion")?.remedy?.contains("Scripts/install") == true)
        #expect(try Bench.case("rules-stranger").requirement("motion")?.remedy?.contains("usermod -aG iio") == true)
    }

    @Test func `udev reports a broken rule and none of ours`() throws {
        #expect(try Bench.text("rules-complaints.txt") == "")
        let broken = try Bench.text("rules-broken.txt").split(separator: "\n")
        for words in ["Invalid key 'GROUPS'", "Invalid key/value pair", "no matching label", "Invalid operator"] {
            #expect(broken.contains { $0.contains("70-rigready-broken.rules:1") && $0.contains(words) }, "\(words)")
        }
    }

    /// The output of `udevadm test` for one simulated device.
    private func made(_ name: String) throws -> [String] {
        let parts = try Bench.text("rules-made.txt").components(separatedBy: "\n# ")
        let part = try #require(parts.first { $0.prefix { $0 != "\n" }.hasSuffix("/\(name)") }, "\(name)")
        return part.components(separatedBy: "\n")
    }

    private func value(_ property: String, of name: String) throws -> String? {
        try made(name).last { $0.hasPrefix("\(property)=") }.map { String($0.dropFirst(property.count + 1)) }
    }

    private func links(of name: String) throws -> Set<String> {
        let links = try value("DEVLINKS", of: name)?.split(separator: " ") ?? []
        return Set(links.filter { $0.hasPrefix("/dev/iio/") }.map { String($0.dropFirst(9)) })
    }

    private func isGiven(_ name: String) throws -> Bool {
        let lines = try made(name)
        let tags = try value("CURRENT_TAGS", of: name) ?? ""
        return lines.contains { $0.contains("70-rigready") && $0.contains(" MODE 0660") }
            && lines.contains { $0.contains("70-rigready") && $0.contains(" GROUP ") } && tags.contains(":uaccess:")
    }

    @Test func `links name the controller, the address and the kind`() throws {
        let place = "by-path/pci-0000:00:15.0-platform-i2c_designware.0-i2c-0068"
        #expect(
            try links(of: "iio:device0") == [
                "\(place)-accelerometer", "\(place)-gyroscope", "by-label/front_imu-accelerometer",
                "by-label/front_imu-gyroscope",
            ])
        // Behind a multiplexer one controller has several buses; a label with a slash makes no link.
        #expect(try links(of: "iio:device1") == ["by-path/i2c-7-0068-accelerometer"])
        #expect(try links(of: "iio:device2") == ["by-path/platform-fe204000.spi-cs-1-gyroscope"])
        #expect(try links(of: "iio:device3") == ["by-path/usb-1-2:1.0-accelerometer"])
    }

    @Test func `only access to motion sensors is given`() throws {
        for number in 0...3 { #expect(try isGiven("iio:device\(number)"), "\(number)") }
        for number in 4...5 {
            #expect(try !isGiven("iio:device\(number)"))
            #expect(try links(of: "iio:device\(number)") == [])
        }
        #expect(try value("RIGREADY_ACCELEROMETER", of: "iio:device1") == "1")
        #expect(try value("RIGREADY_GYROSCOPE", of: "iio:device1") == nil)
        #expect(try value("RIGREADY_STEP_COUNTER", of: "iio:device5") == "1")
    }

    @Test func `receivers belong to the seat and serial ports stay with dialout`() throws {
        #expect(try isGiven("gnss0"))
        for (port, isReceiver) in [("ttyACM0", true), ("ttyUSB0", false), ("ttyACM1", true), ("ttyACM2", false)] {
            #expect(try value("RIGREADY_RECEIVER", of: port) == (isReceiver ? "1" : nil), "\(port)")
            #expect(try (value("CURRENT_TAGS", of: port) ?? "").contains(":uaccess:") == isReceiver, "\(port)")
            #expect(try !made(port).contains { $0.contains("70-rigready") && $0.contains(" GROUP ") }, "\(port)")
        }
    }

    /// The chip and the kernel's current number that each link leads to.
    private func links(in step: String) throws -> [String: (chip: String, device: String)] {
        let lines = try Bench.text("links-\(step).txt").split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), (String($0[1]), String($0[2]))) })
    }

    @Test func `two identical devices keep their links in any order`() throws {
        let (first, last) = (try links(in: "first"), try links(in: "other-order"))
        let names = [
            "by-label/left_door-accelerometer": "0-0018", "by-path/i2c-0-0018-accelerometer": "0-0018",
            "by-path/i2c-0-0019-accelerometer": "0-0019",
        ]
        #expect(first.mapValues(\.chip) == names)
        #expect(last.mapValues(\.chip) == names)
        // The kernel must have assigned its numbers in the other order, else this shows nothing.
        for name in names.keys { #expect(first[name]?.device != last[name]?.device) }
        #expect(try links(in: "one-gone").mapValues(\.chip) == ["by-path/i2c-0-0019-accelerometer": "0-0019"])
        #expect(try links(in: "both-gone").isEmpty)
        func sensors(_ step: String) throws -> [String] {
            try Bench.case("links-\(step)").sensors("accelerometer").map { "\($0.key) \($0.label ?? "")" }
        }
        #expect(try sensors("first") == ["i2c-0/0-0018 left door", "i2c-0/0-0019 right/door"])
        #expect(try sensors("other-order") == sensors("first"))
    }
}

import IIO
import GPSD
import Bluetooth
import DriverKit
import Foundation
import Readiness
import Support
import Testing
@testable import LocalRig

@Suite struct AnonymityTests {
    /// Every byte of a file, and of its base64 or JSON-escaped contents.
    private func contents(_ recording: Recording) -> [UInt8] {
        var bytes = recording.serialized()
        for entry in recording.entries { bytes += [0x0a] + (entry.bytes ?? []) }
        return bytes
    }

    private func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(part)) != nil
    }

    /// A recording of one conversation, and of files.
    private func recording(
        frames: [[UInt8]] = [], endpoint: Endpoint = .gpsd(host: "127.0.0.1", port: 2947),
        files: [(String, String)] = [], host: String = "bench-07.lab", user: String = "anna"
    ) -> Recording {
        var header = ReplayTests.header
        header.host = host
        header.user = user
        var result = Recording(header: header, from: Recorder())
        for (path, text) in files {
            var entry = Entry(driver: "d", at: 0, ask: .contents, of: path)
            entry.bytes = Array(text.utf8)
            result.entries.append(entry)
        }
        for frame in frames {
            var entry = Entry(driver: "d", at: 0, ask: .receive, of: endpoint.description, channel: 0)
            entry.bytes = frame
            result.entries.append(entry)
        }
        return result
    }

    private func text(_ recording: Recording) -> String {
        String(decoding: recording.entries.flatMap { $0.bytes ?? [] }, as: UTF8.self)
    }

    @Test func `permanent device links lose its number`() {
        let line = #"{"class":"DEVICE","path":"/dev/serial/by-id/usb-u-blox_GNSS_SN998877-if00","driver":"u-blox"}"#
        let anonymous = text(recording(frames: [Array((line + "\n").utf8)]).anonymized())
        #expect(!anonymous.contains("SN998877"))
        #expect(anonymous.contains("/dev/serial/by-id/usb-u-blox_GNSS_"))
    }

    @Test func `numbers that are one disk's or one device's are erased`() {
        let text = "E:ID_WWN=0x5002538e40a1b2c3\nE:HID_UNIQ=a1b2c3d4e5\nE:ID_SERIAL_SHORT=Z9Y8X7\nE:ID_MODEL=EVO\n"
        let anonymous = self.text(recording(files: [("/run/udev/data/c1:2", text)]).anonymized())
        for number in ["5002538e40a1b2c3", "a1b2c3d4e5", "Z9Y8X7"] { #expect(!anonymous.contains(number)) }
        #expect(anonymous.contains("ID_MODEL=EVO"))
    }

    @Test func `many addresses have a pseudonym each`() {
        let addresses = (0..<600).map { number in
            "6c:29:95:01:\(String(0x100 + number / 256, radix: 16).suffix(2)):\(String(0x100 + number % 256, radix: 16).suffix(2))"
        }
        let files = addresses.map { ("/sys/class/net/\($0)", "\($0)\n") }
        let anonymous = recording(files: files).anonymized()
        let invented = anonymous.entries.map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
        #expect(Set(invented).count == 600)
        #expect(!addresses.contains { address in invented.contains { $0.contains(address) } })
    }

    @Test func `home folders lose their user's name`() {
        let anonymous = recording(files: [("/home/berta/contexts/rig.xml", "<context/>")]).anonymized()
        #expect(anonymous.entries.map(\.of) == ["/home/user/contexts/rig.xml"])
    }

    @Test func `groups lose their members`() {
        let groups = "root:x:0:\niio:x:900:berta,carl\nodd\n"
        let anonymous = recording(files: [("/etc/group", groups)]).anonymized()
        #expect(anonymous.entries.map(\.text) == ["root:x:0\niio:x:900\nodd\n"])
    }

    @Test func `the anonymous demo replays to the same verdicts`() throws {
        let demo = try Demo.recording()
        let anonymous = try Recording(parsing: demo.anonymized().serialized(), file: "f")
        #expect(try anonymous.inventory().verdicts == demo.inventory().verdicts)
        #expect(try anonymous.inventory().sensors.count == 8)
        #expect(anonymous.header.isAnonymized)
    }

    @Test func `the anonymous demo contains nothing of the rig`() throws {
        let demo = try Demo.recording()
        let address: [UInt8] = [0x00, 0xaa, 0x01, 0x00, 0x00, 0x00]
        let secrets: [[UInt8]] =
            [
                demo.header.host, demo.header.user, String(demo.header.boot.prefix(8)), "00:AA:01:00:00:00", "52.51646",
                "13.37572", "77.6", "34.5000", "31.66",
            ]
            .map { Array($0.utf8) } + [address.reversed()]
        let (before, after) = (contents(demo), contents(demo.anonymized()))
        for secret in secrets {
            // A search that finds nothing anywhere would show nothing. No frame contains the text of an address.
            #expect(holds(before, secret) || secret.first == UInt8(ascii: "0"))
            #expect(!holds(after, secret), "\(String(decoding: secret, as: UTF8.self))")
        }
    }

    @Test func `anonymous twice is anonymous once`() throws {
        let once = try Demo.recording().anonymized()
        #expect(once.anonymized() == once)
    }

    static let report = """
        {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-01-01T00:00:00.000Z","lat":52.516460000,\
        "lon":-0.127580000,"altHAE":7788.6000,"track":31.6600,"speed":0.010,"ecefx":3979.12,"ecefy":9,"eph":19.190,\
        "velN":-7.5,"l\\u0061t":1.23456}\r\n
        """

    @Test func `positions are blurred wherever frames are cut`() throws {
        let whole = Array(Self.report.utf8)
        let expected = Self.report.replacing("52.516460000", with: "52.500000000")
            .replacing("-0.127580000", with: "-0.100000000").replacing("7788.6000", with: "7800.0000")
            .replacing("31.6600", with: "0.00000").replacing("0.010", with: "0.000").replacing(
                "3979.12", with: "0.00000"
            )
            .replacing("\"ecefy\":9", with: "\"ecefy\":0").replacing("-7.5", with: "0.00").replacing(
                "1.23456", with: "1.20000")
        for size in [1, 2, 3, 7, 40, whole.count] {
            let frames = stride(from: 0, to: whole.count, by: size).map {
                Array(whole[$0..<min($0 + size, whole.count)])
            }
            let blurred = recording(frames: frames).anonymized()
            #expect(text(blurred) == expected, "frames of \(size)")
            #expect(blurred.entries.map(\.bytes?.count) == frames.map(\.count))
        }
    }

    @Test func `a truncated report is blurred too`() throws {
        let whole = Array(Self.report.utf8)
        for length in whole.indices {
            let result = text(recording(frames: [Array(whole.prefix(length))]).anonymized())
            #expect(result.utf8.count == length)
            for secret in ["2.51", "-0.12", "788", "31.", "979", "1.23"] { #expect(!result.contains(secret)) }
        }
    }

    @Test(arguments: [
        ("$GPGGA,120000,5230.987,N,01322.543,E,1*4F", "$GPGGA,000000,0000.000,N,00000.000,E,0*0F"),
        (
            #"{"class":"AIS","mmsi":211234567,"lat":31509876,"name":"ANNA"}"#,
            #"{"class":"AIS","mmsi":0.0000000,"lat":999.0000,"name":"xxxx"}"#
        ),
        (#"{"class":"TPV","lat":91.04,"lon":1e9}"#, #"{"class":"TPV","lat":91.10,"lon":999}"#),
        (#"{"class":"TPV","lat":nonsense,"lon":"13.37"}"#, #"{"class":"TPV","lat":0.000000,"lon":"xxxxx"}"#),
        (
            #"{"class":"SKY","satellites":[{"PRN":1,"el":40.0,"az":83,"used":true}]}"#,
            #"{"class":"SKY","satellites":[{"PRN":1,"el":0.00,"az":0 ,"used":true}]}"#
        ),
        (
            #"{"class":"SKY","nSat":9,"satellites":[{"PRN":1,"el":4.0,"ss":18.0}]}"#,
            #"{"class":"SKY","nSat":9,"satellites":[{"PRN":1,"el":0.0,"ss":18.0}]}"#
        ),
        (#"{"class":"TPV","lat":52.51,"ant":2,"antPwr":1}"#, #"{"class":"TPV","lat":52.50,"ant":2,"antPwr":1}"#),
        (
            #"{"class":"RAW","rawdata":[{"pseudorange":2.0,"x":[1,2]}]}"#,
            #"{"class":"RAW","rawdata":[{"pseudorange":0.0,"x":[0,0]}]}"#
        ),
        ("\u{b5}b\u{1}binary 52.5", "???????????????"),
    ])
    func `lines of every kind lose their place`(line: String, expected: String) {
        #expect(text(recording(frames: [Array(line.utf8)]).anonymized()).prefix(expected.count) == expected)
    }

    @Test func `an address becomes the same one in frames and text`() throws {
        // Read Controller Information of AA:BB:CC:DD:EE:FF, with a name.
        var information: [UInt8] = [1, 0, 0, 0, 27, 1, 4, 0, 0, 0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa]
        information += [UInt8](repeating: 1, count: 14) + Array("Anna's laptop".utf8)
        information += [UInt8](repeating: 0, count: 289 - information.count)
        // Device Found: another address, then its advertising data.
        let found: [UInt8] =
            [0x12, 0, 0, 0, 20, 0, 6, 5, 4, 3, 2, 1, 0, 0xc0, 0, 0, 0, 0, 6, 0] + Array("Annas!".utf8)
        let original = recording(
            frames: [information, found], endpoint: .management,
            files: [
                ("/sys/class/bluetooth/hci0/address", "aa:bb:cc:dd:ee:ff\n"),
                ("/sys/x/uevent", "HID_PHYS=AA:BB:CC:DD:EE:FF\nHID_UNIQ=01-02-03-04-05-06\nID_NET=enxaabbccddeeff\n"),
                ("/sys/y", "dev_AA_BB_CC_DD_EE_FF 00:00:00:00:00:00 12:13:05 1aa:bb:cc:dd:ee:ff\n"),
            ])
        let anonymous = original.anonymized()
        #expect(anonymous.entries.map(\.bytes?.count) == original.entries.map(\.bytes?.count))
        let texts = anonymous.entries.prefix(3).map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
        #expect(texts[0] == "00:00:5e:00:53:00\n")
        #expect(texts[1] == "HID_PHYS=00:00:5E:00:53:00\nHID_UNIQ=00-00-00-00-00-00\nID_NET=enx00005e005300\n")
        #expect(texts[2] == "dev_00_00_5E_00_53_00 00:00:00:00:00:00 12:13:05 1aa:bb:cc:dd:ee:ff\n")
        let frame = try #require(anonymous.entries[3].bytes)
        #expect(Array(frame[9..<15]) == [0, 0x53, 0, 0x5e, 0, 0])
        #expect(frame[15..<29].allSatisfy { $0 == 1 })
        #expect(frame[29...].allSatisfy { $0 == 0 })
        let event = try #require(anonymous.entries[4].bytes)
        #expect(Array(event[6..<12]).last == 0 && event[6] != 6)
        #expect(event[12..<20] == found[12..<20])
        #expect(event[20...].allSatisfy { $0 == 0 })
    }

    @Test func `names and serial numbers are replaced as whole words`() throws {
        let anonymous = recording(
            frames: [Array("{\"class\":\"DEVICE\",\"path\":\"/home/an".utf8), Array("na/Bench-07/gps\"}\n".utf8)],
            files: [
                (
                    "/run/udev/data/c1:1",
                    "E:ID_SERIAL=Maker_GPS_A1B2C3D4\nE:ID_SERIAL_SHORT=A1B2C3D4\nE:ID_MODEL=GPS\n"
                        + "S:serial/by-id/usb-Maker_GPS_A1B2C3D4-if00\n"
                ),
                ("/home/anna/x", "annabel bench-07.lab bench-071 bench-07"),
                ("/sys/devices/usb1/1-1/serial", "A1B2C3D4\n"),
            ]
        ).anonymized()
        #expect(anonymous.header.host == "host" && anonymous.header.user == "user")
        let texts = anonymous.entries.map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
        let serial = try #require(texts[0].split(separator: "GPS_").last?.prefix(8))
        #expect(serial.hasPrefix("0000000"))
        #expect(texts[0].contains("E:ID_MODEL=GPS\n"))
        #expect(!texts.joined().contains("A1B2C3D4"))
        #expect(anonymous.entries[1].of == "/home/user/x")
        #expect(texts[1] == "annabel host bench-071 host")
        #expect(texts[2] == "00000000\n")
        #expect(texts[3] + texts[4] == "{\"class\":\"DEVICE\",\"path\":\"/home/user/host/gps\"}\n")
    }

    @Test func `the kernel's name of the host ends at a blank`() {
        let files = [("/proc/sys/kernel/hostname", "bench-09 \n"), ("/tmp/log", "bench-09 is up")]
        #expect(text(recording(files: files).anonymized()) == "host \nhost is up")
    }

    @Test func `a serial number of six characters is replaced wherever it stands`() throws {
        let anonymous = recording(
            files: [("/run/udev/data/c1:1", "E:ID_SERIAL_SHORT=Z9Y8X7\n"), ("/tmp/log", "opened Z9Y8X7, not Z9Y8X70")]
        ).anonymized()
        let text = try String(decoding: #require(anonymous.entries.last?.bytes), as: UTF8.self)
        #expect(text.wholeMatch(of: /opened 00000[0-9], not Z9Y8X70/) != nil, "\(text)")
    }

    @Test func `the text after an address stays`() throws {
        let address = "6c:29:95:01:02:03"
        let anonymous = recording(files: [("/tmp/log", "\(address): up, \(address):\n\(address)")]).anonymized()
        let text = self.text(anonymous)
        let invented = try #require(text.split(separator: ": up").first)
        #expect(invented != address[...] && text == "\(invented): up, \(invented):\n\(invented)")
    }

    @Test func `words of the kernel are not names`() {
        let anonymous = recording(files: [("/sys/class/bluetooth", "kernel")], host: "kernel", user: "bluetooth")
            .anonymized()
        #expect(anonymous.entries[0].of == "/sys/class/bluetooth")
        #expect(anonymous.header.host == "host" && anonymous.header.user == "user")
    }

    @Test func `other machines lose their names everywhere`() {
        var original = recording(
            frames: [
                Array(
                    """
                    <?xml version="1.0"?><context name="network" description="192.168.2.1 Linux pluto 4.14.0 #1">\
                    <context-attribute name="hw_serial" value="1044735"/><device id="iio:device0" name="pluto"/></context>
                    """.utf8)
            ], endpoint: .iio(uri: "ip:192.168.2.1"))
        original.header.gpsd = "gps.lab:2947"
        original.header.iio = ["ip:192.168.2.1", "xml:/home/anna/rig.xml"]
        let anonymous = original.anonymized()
        #expect(anonymous.header.gpsd == "host-2:2947")
        #expect(anonymous.header.iio == ["ip:192.0.2.3", "xml:/home/user/rig.xml"])
        #expect(anonymous.entries[0].of == "ip:192.0.2.3")
        for secret in ["192.168", "1044735", "pluto"] { #expect(!text(anonymous).contains(secret)) }
        #expect(text(anonymous).contains("<device id=\"iio:device0\""))
    }

    @Test(arguments: ["ip:rig", "usb:1.5.0", "serial:/dev/ttyUSB0,115200", "xml:/tmp/rig.xml"])
    func `a context of every kind loses its description and attributes`(uri: String) {
        let context = """
            <?xml version="1.0"?><context name="a" description="bench of Anna">\
            <context-attribute name="hw_serial" value="1044735"/><device id="iio:device0" name="pluto"/></context>
            """
        let anonymous = text(recording(frames: [Array(context.utf8)], endpoint: .iio(uri: uri)).anonymized())
        for secret in ["Anna", "1044735"] { #expect(!anonymous.contains(secret)) }
        #expect(anonymous.contains("<device id=\"iio:device0\" name=\"pluto\""))
    }

    @Test func `damaged recordings are made anonymous without a crash`() throws {
        let demo = try Demo.recording()
        for bytes in Mutations(of: demo.entries.compactMap(\.bytes), count: 5000) {
            let size = bytes.count
            let stream = recording(frames: [Array(bytes.prefix(size / 2)), Array(bytes.dropFirst(size / 2))])
            // An address that both have a part of is whole in one of them.
            let frames = stream.anonymized().entries.map { $0.bytes?.count ?? 0 }
            #expect(frames.count == 2 && frames.reduce(0, +) == size)
            for endpoint in [Endpoint.management, .hci] {
                #expect(recording(frames: [bytes], endpoint: endpoint).anonymized().entries[0].bytes?.count == size)
            }
            _ = recording(frames: [bytes], endpoint: .uevents).anonymized()
        }
    }
}

import Foundation
import rigready
import Support
import Testing

/// Parsing of property lists: what is accepted, and what is refused where.
@Suite struct PropertyListTests {
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

        """
    static let text =
        head + """
            <plist version="1.0">
            <dict>
            	<!-- shown when asked -->
            	<key>NSMotionUsageDescription</key>
            	<string>Fußgänger &amp; Räder</string>
            	<key>UIBackgroundModes</key>
            	<array><string>location</string></array>
            	<key>Nested</key>
            	<dict><key>on</key><true/><key>off</key><false/><key>count</key><integer>3</integer><key>empty</key><string/></dict>
            </dict>
            </plist>
            """
    static let expected = PropertyList.dictionary([
        "NSMotionUsageDescription": .text("Fußgänger & Räder"), "UIBackgroundModes": .list([.text("location")]),
        "Nested": .dictionary(["on": .boolean(true), "off": .boolean(false), "count": .other, "empty": .text("")]),
    ])

    /// The same as a binary list, by Foundation's own writer.
    static var binary: [UInt8] {
        get throws {
            let list = try unsafe PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
            return Array(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        }
    }

    private func fault(_ bytes: [UInt8]) -> String {
        do {
            let list = try PropertyList(parsing: bytes, file: "Info.plist")
            return "it was read: \(list.words)"
        } catch {
            return error.description
        }
    }

    @Test func `both forms are read`() throws {
        #expect(try PropertyList(parsing: Array(Self.text.utf8), file: "") == Self.expected)
        #expect(try PropertyList(parsing: [0xef, 0xbb, 0xbf] + Self.text.utf8, file: "") == Self.expected)
        #expect(try PropertyList(parsing: Self.binary, file: "") == Self.expected)
        let crlf = Self.text.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try PropertyList(parsing: Array(crlf.utf8), file: "") == Self.expected)
    }

    @Test(arguments: [
        ("", "Info.plist: expected an XML or binary property list, found an empty file"),
        ("{ a = b; }", "Info.plist:1:1: expected an XML or binary property list, found neither"),
        ("<html>", "Info.plist:1:1: expected an element of a property list, found <html>"),
        ("<dict/>", "Info.plist:1:1: expected <plist>, found <dict>"),
        ("<plist/>", "Info.plist:1:1: expected a value in <plist>"),
        ("<plist></plist>", "Info.plist:1:8: expected one value in <plist>, found 0"),
        ("<plist><dict/><dict/></plist>", "Info.plist:1:22: expected one value in <plist>, found 2"),
        ("<plist><dict/></plist><plist>", "Info.plist:1:23: expected nothing after </plist>"),
        ("<plist>\n<dict>\n  <string>ä", "Info.plist:3:3: expected <key>, found <string>"),
        ("<plist>\n<dict>\n ä", "Info.plist:3:2: expected an element, found text"),
        ("<plist>\n<dict><key>k</key>\n</dict>", "Info.plist:3:1: expected a value for the last <key>"),
        ("<plist><dict><key>ä</key><key>", "Info.plist:1:26: expected a value, found <key>"),
        ("<plist><dict>\n<key>k</string>", "Info.plist:2:7: expected the end of another element"),
        ("<plist><dict><key>a<true/></key>", "Info.plist:1:20: expected </key>, found <true>"),
        ("<plist><dict>\n<key>k", "Info.plist:2:7: expected </key>, found the end of the file"),
        ("<plist><dict>\n<!-- ", "Info.plist:2:1: expected a comment that ends"),
        ("<plist><dict>\n<key", "Info.plist:2:1: expected a tag that ends"),
        ("<!DOCTYPE plist [<!ENTITY a \"aa\">", "Info.plist:1:1: expected a document type without declarations"),
        ("<?xml", "Info.plist:1:1: expected a processing instruction that ends"),
    ])
    func `the fault has its place`(text: String, expected: String) throws {
        let fault = fault(Array(text.utf8))
        #expect(fault.hasPrefix(expected), "\(fault)")
    }

    @Test func `encodings other than UTF-8 are refused`() throws {
        let wide = Array(try #require(Self.text.data(using: .utf16)))
        #expect(fault(wide).contains("plutil -convert xml1"))
        #expect(fault(Array("<plist>\nä".utf8.dropLast())) == "Info.plist:2:1: expected UTF-8")
    }

    /// Input on which the decoder alone would crash or not end.
    @Test func `hostile lists are refused`() throws {
        let deep = "<plist>" + String(repeating: "<array>", count: 100_000)
        #expect(fault(Array(deep.utf8)).contains("expected at most 64 levels"))
        let dictionaries = "<plist>" + String(repeating: "<dict><key>a</key>", count: 100_000)
        #expect(fault(Array(dictionaries.utf8)).contains("expected at most 64 levels"))
        let wide = "<plist><array>" + String(repeating: "<true/>", count: 60_000) + "</array></plist>"
        #expect(fault(Array(wide.utf8)).contains("expected at most 50000 values"))
        let large = "<plist><string>" + String(repeating: "a", count: 5 << 20)
        #expect(fault(Array(large.utf8)) == "Info.plist: expected at most 4 MiB, found more")
        #expect(
            fault(list([[0xa1, 0]])) == "Info.plist: byte 8: expected a list that ends, found one that contains itself")
        let levels = (UInt8(1)...200).map { number -> [UInt8] in [0xa1, number] } + [[0x09]]
        #expect(fault(list(levels)).contains("expected at most 64 levels"))
        // Forty lists, each twice the next: a million million values in a hundred bytes.
        let laughs = (UInt8(1)...40).map { number -> [UInt8] in [0xa2, number, number] } + [[0x09]]
        #expect(fault(list(laughs)).contains("expected at most 50000 values"))
        let endless: [UInt8] = [0xaf, 0x13, 0x7f] + Array(repeating: 0xff, count: 7)
        #expect(fault(list([endless])).contains("an object that ends"))
        #expect(fault(list([[0xa1, 9]])) == "Info.plist: byte 8: expected the number of an object, found 9")
        #expect(fault(list([[0x7f]])) == "Info.plist: byte 8: expected an object, found the byte 127")
        #expect(
            try PropertyList(parsing: list([[0xa2, 1, 1], [0x09]]), file: "")
                == .list([.boolean(true), .boolean(true)]))
    }

    @Test func `a truncated binary list is reported with its byte`() throws {
        let whole = try Self.binary
        for count in stride(from: 8, to: whole.count, by: 1) {
            let fault = fault(Array(whole.prefix(count)))
            #expect(fault.hasPrefix("Info.plist: byte "), "\(count): \(fault)")
        }
    }

    @Test func `a table of offsets is where it may be, and else reported`() {
        func moved(to table: UInt8) -> [UInt8] {
            var bytes = list([[0x51, 0x61]])
            bytes[bytes.count - 1] = table
            return bytes
        }
        #expect(fault(moved(to: 10)) == "it was read: \(PropertyList.text("a").words)")
        // After the mark there is room for no object, but for a table.
        #expect(fault(moved(to: 8)).contains("expected an object within the file"))
        #expect(
            fault(moved(to: 7))
                == "Info.plist: byte 36: expected a table of 1 offsets before the trailer, found it at byte 7")
    }

    @Test func `mutants are read or refused`() throws {
        let count = ProcessInfo.processInfo.environment["RIGREADY_MUTANTS"].flatMap(Int.init) ?? 4000
        let seeds = [Array(Self.text.utf8), try Self.binary, list([[0xa2, 1, 2], [0x51, 0x61], [0xd1, 1, 1]])]
        var read = 0, refused = 0
        for mutant in Mutations(of: seeds, count: count) {
            do {
                _ = try PropertyList(parsing: mutant, file: "mutant")
                read += 1
            } catch {
                #expect(error.description.hasPrefix("mutant") && !error.description.contains("\n"))
                refused += 1
            }
        }
        #expect(read > count / 50 && refused > count / 10)
    }

    /// A binary list of objects, the first of which is the top one; references take one byte.
    private func list(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
            bytes += object
        }
        let table = bytes.count
        func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + number(objects.count) + number(0) + number(table)
    }
}

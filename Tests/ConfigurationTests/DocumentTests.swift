import Testing
@testable import LocalRig

/// Parses text as a document.
func parse(_ text: String) throws(ConfigurationError) -> ConfigurationNode? {
    try ConfigurationNode(parsing: Array(text.utf8), file: "rig.yaml")
}

/// The error that parsing gives, on its one line.
func fault(_ text: String) -> String? { fault(bytes: Array(text.utf8)) }

/// The error that parsing bytes gives, on its one line.
func fault(bytes: [UInt8]) -> String? {
    do {
        _ = try ConfigurationNode(parsing: bytes, file: "rig.yaml")
        return nil
    } catch {
        return error.description
    }
}

extension ConfigurationNode {
    /// The value without places, as a text that tests compare.
    var plain: String {
        switch value {
        case .scalar(let text, let quoted): quoted ? "'\(text)'" : text
        case .list(let items): "[" + items.map(\.plain).joined(separator: ", ") + "]"
        case .mapping(let entries): "{" + entries.map { "\($0.key): \($0.value.plain)" }.joined(separator: ", ") + "}"
        }
    }
}

@Suite("Documents")
struct DocumentTests {
    @Test func `every key and value has its line and column, in characters`() throws {
        let root = try #require(try parse("a: 1\nbé:\n  - x\n  - {c: y, d: 'z'}\n"))
        guard case .mapping(let entries) = root.value, case .list(let items) = entries[1].value.value,
            case .mapping(let inner) = items[1].value
        else {
            Issue.record("\(root.plain)")
            return
        }
        #expect(entries[0].value.place == SourceLocation(line: 1, column: 4))
        #expect(entries[1].place == SourceLocation(line: 2, column: 1))
        #expect(items[0].place == SourceLocation(line: 3, column: 5))
        #expect(inner[0].value.place == SourceLocation(line: 4, column: 9))
        #expect(inner[1].place == SourceLocation(line: 4, column: 12))
        #expect(inner[1].value.value == .scalar("z", quoted: true))
    }

    @Test(arguments: [
        (#"{"a":1,"b":[true,false,null],"c":{}}"#, "{a: 1, b: [true, false, null], c: {}}"),
        ("{\n\t\"a\" : [\n\t\t1.5e3 ,\n\t\t-2\n\t]\n}\n", "{a: [1.5e3, -2]}"),
        (#"{"a":"x\/y\\z\"\b\f\n\r\t"}"#, "{a: 'x/y\\z\"\u{8}\u{c}\n\r\t'}"),
        (#"{"a":"\u00e9\u20AC\u0041"}"#, "{a: 'é€A'}"),
        ("{\"a\":\"😀\"}", "{a: '😀'}"),
        ("\u{feff}{\"a\": 1}", "{a: 1}"),
        ("{\r\n  \"a\": 1\r\n}\r\n", "{a: 1}"),
        ("[\"http://x:1\", \"a, b\", \"# no comment\"]", "['http://x:1', 'a, b', '# no comment']"),
        (#""text""#, "'text'"),
    ])
    func `JSON is read`(text: String, expected: String) throws {
        #expect(try parse(text)?.plain == expected)
    }

    @Test func `an empty file and one of comments hold nothing`() throws {
        for text in ["", "\n\n", "# nothing\n", "   ", "---\n"] { #expect(try parse(text) == nil) }
    }

    @Test(arguments: [
        (
            "{\"a\": \"\\ud83d\\ude00\"}",
            "rig.yaml:1:10: expected YAML or JSON: found invalid Unicode character escape code; write a character "
                + "beyond U+FFFF itself, not as a pair of escapes"
        ),
        (
            "{\"a\": \"\u{7f}\"}", "rig.yaml:1:8: expected YAML or JSON: control characters are not allowed"
        ),
    ])
    func `input that JSON allows but libyaml does not is refused with its place`(text: String, expected: String) {
        #expect(fault(text) == expected)
    }

    @Test(arguments: [
        ("a: 1\nb: [1, 2\n", "rig.yaml:2:4: expected YAML or JSON: did not find expected ',' or ']'"),
        (
            "a: 1\n\tb: 2\n",
            "rig.yaml:2:1: expected YAML or JSON: found a tab character that violates indentation"
        ),
        (
            "\t{\"a\": 1}",
            "rig.yaml:1:1: expected YAML or JSON: found character that cannot start any token"
        ),
        ("a: 'x\n", "rig.yaml:1:4: expected YAML or JSON: found unexpected end of stream"),
        ("a: 1\nb: 2\na: 3\n", "rig.yaml:3:1: expected each key once, found \"a\" again (first in line 1)"),
        ("a: &x 1\n", "rig.yaml:1:4: expected a value, found an anchor (&), which is not supported"),
        ("a: &x [1]\n", "rig.yaml:1:4: expected a value, found an anchor (&), which is not supported"),
        ("a: *x\n", "rig.yaml:1:4: expected a value, found an alias (*), which is not supported"),
        ("a: !!int 1\n", "rig.yaml:1:4: expected a value, found a tag (!), which is not supported"),
        ("a: !x {}\n", "rig.yaml:1:4: expected a value, found a tag (!), which is not supported"),
        ("a: 1\n---\nb: 2\n", "rig.yaml:2:1: expected one document, found a second"),
        ("? [a]\n: 1\n", "rig.yaml:1:3: expected a key of one word"),
        ("{a: 1}}", "rig.yaml:1:7: expected YAML or JSON: did not find expected <document start>"),
    ])
    func `a fault is reported with its place and what was expected`(text: String, expected: String) {
        #expect(fault(text) == expected)
    }

    @Test func `a key of more than 1024 characters is refused`() {
        let long = String(repeating: "k", count: 1_025)
        #expect(fault("{\"\(long)\": 1}")?.hasPrefix("rig.yaml:1:") == true)
        #expect(fault("{\"\(long.dropLast(10))\": 1}") == nil)
    }

    @Test func `bytes that are not UTF-8 are reported with their place`() {
        #expect(
            fault(bytes: Array("a: é\nb: ".utf8) + [0xff, 0x0a])
                == "rig.yaml:2:4: expected YAML or JSON: invalid leading UTF-8 octet")
        #expect(fault(bytes: [0]) == "rig.yaml:1:1: expected YAML or JSON: control characters are not allowed")
    }

    @Test func `nesting, size and number of values are bounded`() {
        let deep = ConfigurationNode.maximumDepth
        #expect(fault(String(repeating: "[", count: deep) + String(repeating: "]", count: deep)) == nil)
        #expect(
            fault(String(repeating: "[", count: deep + 1))
                == "rig.yaml:1:33: expected lists and mappings at most 32 deep")
        #expect(fault(String(repeating: "[", count: 1_000_000))?.hasSuffix("at most 32 deep") == true)
        #expect(
            fault("[" + String(repeating: "1,", count: 20_000) + "]")
                == "rig.yaml:1:40000: expected at most 20000 values")
        #expect(fault(bytes: [UInt8](repeating: 0x20, count: 1 << 20)) == nil)
        #expect(fault(bytes: [UInt8](repeating: 0x20, count: 1 << 20 + 1)) == "rig.yaml: expected at most 1 MiB")
    }

    @Test func `an error is one line for any file`() throws {
        let text = try #require(fault("\"a\\nb\\e[31m\\u2028\": 1\n\"a\\nb\\e[31m\\u2028\": 2\n"))
        #expect(
            text == "rig.yaml:2:1: expected each key once, found \"a b[31m\" again (first in line 1)")
    }
}

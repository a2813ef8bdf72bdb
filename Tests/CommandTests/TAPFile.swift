import Foundation
import Testing

/// A TAP stream as Perl's TAP::Parser parses it.
struct TAPFile: Decodable {
    struct Point: Decodable {
        var ok: Bool
        var name: String
        var directive: String
        var reason: String
        var diagnostics: Diagnostics?
    }
    struct Diagnostics: Decodable {
        var message: String
        var severity: String
        var reason: String
        var detail: String?
    }

    var version: Int
    var planned: Int
    var errors: [String]
    var points: [Point]

    private static let reader = """
        use strict; use warnings; use TAP::Parser; use JSON::PP; binmode STDOUT, ':raw';
        local $/; my $text = <STDIN>;
        my $parser = TAP::Parser->new({ tap => $text });
        my (@points, $last);
        while (my $one = $parser->next) {
            if ($one->is_test) {
                $last = { ok => $one->is_actual_ok ? JSON::PP::true : JSON::PP::false, name => $one->description,
                    directive => $one->directive, reason => $one->explanation, diagnostics => undef };
                push @points, $last;
            } elsif ($one->is_yaml) { $last->{diagnostics} = $one->data }
            elsif ($one->is_unknown) { die 'unknown line: ' . $one->as_string }
        }
        # The text is bytes to Perl, so it leaves as it came.
        print JSON::PP->new->latin1(0)->utf8(0)->encode({ version => 0 + $parser->version,
            planned => 0 + $parser->tests_planned, errors => [$parser->parse_errors], points => \\@points });
        """

    /// Parses a stream with Perl, and compares Python's parser; a test without them is cancelled.
    init(_ text: String) throws {
        let perl = try Tool.path("perl", package: "perl")
        let run = try Tool.run(perl, ["-e", Self.reader], input: text)
        guard run.status == 0 else { throw Program.CommandFailure(description: "TAP::Parser: \(run.complaints)") }
        self = try JSONDecoder().decode(Self.self, from: Data(run.output.utf8))

        let python = try Tool.python(with: ["tap.parser": "python3-tap", "more_itertools": "python3-more-itertools"])
        let second = try Tool.run(
            python,
            [
                "-c",
                """
                import json, sys, tap.parser
                lines = list(tap.parser.Parser().parse(sys.stdin))
                print(json.dumps([[line.ok, (line.yaml_block or {}).get("detail")] for line in lines
                                  if line.category == "test"]))
                assert not [line for line in lines if line.category == "unknown"]
                """,
            ], input: text)
        guard second.status == 0 else { throw Program.CommandFailure(description: "tap.py: \(second.complaints)") }
        let read = try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [[Any?]] ?? []
        #expect(read.map { $0[0] as? Bool } == points.map(\.ok))
        // tap.py omits the end of a block's last line.
        func details(_ list: [String?]) -> [String?] { list.map { $0?.trimmingCharacters(in: .newlines) } }
        #expect(details(read.map { $0[1] as? String }) == details(points.map(\.diagnostics?.detail)))
    }

    /// The test point with a name.
    func named(_ name: String) throws -> Point { try #require(points.first { $0.name.hasSuffix(name) }) }
}

import Foundation

/// The demo's recording with changes, line by line.
struct DerivedRig {
    var lines: [String]

    /// The demo as it was recorded.
    init() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/LocalRig/Rigs/demo.jsonl").standardized
        lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The file, whose header counts the remaining lines.
    var text: String {
        let header = lines[0].replacing(#/"entries":[0-9]+/#, with: "\"entries\":\(lines.count - 1)")
        return ([header] + lines.dropFirst()).map { $0 + "\n" }.joined()
    }

    /// Replaces a text in every line of a driver; the text must be there.
    mutating func replace(_ text: String, with other: String, of driver: String = "iio") throws {
        var count = 0
        lines = lines.map { line in
            guard line.contains("\"driver\":\"\(driver)\""), line.contains(text) else { return line }
            count += 1
            return line.replacingOccurrences(of: text, with: other)
        }
        guard count > 0 else { throw Program.CommandFailure(description: "the demo has no \(text)") }
    }

    /// Removes lines.
    mutating func remove(_ isUnwanted: (String) -> Bool) { lines.removeAll(where: isUnwanted) }

    /// Removes a path, including its quotes, from the lists of devices.
    mutating func unlist(_ path: Regex<Substring>) throws {
        var count = 0
        for index in lines.indices where lines[index].contains("\"ask\":\"devices\"") {
            guard let match = lines[index].firstMatch(of: path) else { continue }
            let parts = [",\(match.output)", "\(match.output),", "\(match.output)"]
            guard let part = parts.first(where: lines[index].contains) else { continue }
            lines[index] = lines[index].replacingOccurrences(of: part, with: "")
            count += 1
        }
        guard count > 0 else { throw Program.CommandFailure(description: "the demo does not list it") }
    }

    /// Adds a copy of the bmi160 on another bus.
    mutating func addTwin() {
        func twin(_ line: String) -> String {
            line.replacingOccurrences(of: "i2c-0/0-0069", with: "i2c-1/1-0069")
                .replacingOccurrences(of: "iio:device0", with: "iio:device4")
        }
        let copies = lines.filter { !$0.contains("\"list\":[\"/sys") && twin($0) != $0 }.map(twin)
        let bmi160 = "\"/sys/devices/i2c-0/0-0069\""
        let node = "\"/sys/devices/i2c-0/0-0069/iio:device0\""
        lines = lines.map { line in
            guard line.contains("\"ask\":\"devices\"") else { return line }
            return [bmi160, node].reduce(line) { $0.replacingOccurrences(of: $1, with: "\($1),\(twin($1))") }
        }
        lines += copies
    }

    /// Clears the powered bit in the controller's answer to Read Controller Information.
    mutating func powerOff() throws {
        for index in lines.indices where lines[index].contains("\"receive\"") && lines[index].contains("bluetooth") {
            guard let start = lines[index].range(of: "\"base64\":\"")?.upperBound,
                let end = lines[index][start...].firstIndex(of: "\""),
                var packet = Data(base64Encoded: String(lines[index][start..<end])),
                packet.count > 22, packet[6] == 0x04, packet[7] == 0
            else { continue }
            // Event header 6, opcode 2, status 1, address 6, version 1, manufacturer 2, supported settings 4.
            guard packet[22] & 1 == 1 else {
                throw Program.CommandFailure(description: "the demo is powered off already")
            }
            packet[22] &= 0xfe
            lines[index].replaceSubrange(start..<end, with: packet.base64EncodedString())
            return
        }
        throw Program.CommandFailure(description: "the demo has no controller information")
    }
}

import DriverKit

/// Replaces serial number and owner in a step counter's answers; lengths are kept.
struct PedometerAnonymizer: FrameAnonymizer {
    func covers(_ endpoint: String) -> Bool { endpoint.hasPrefix("pedometer at ") }

    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData] { [] }

    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] {
        var bytes = Array(frames.joined())
        for name in ["serial=", "owner="] { erase(behind: Array(name.utf8), in: &bytes) }
        var offset = 0
        return frames.map { frame in
            defer { offset += frame.count }
            return Array(bytes[offset..<offset + frame.count])
        }
    }

    private func erase(behind name: [UInt8], in bytes: inout [UInt8]) {
        for place in bytes.indices where bytes[place...].starts(with: name) {
            let start = place + name.count
            // The owner is the last word of the line, the serial number ends at the next space.
            let ends = name == Array("owner=".utf8) ? [UInt8(ascii: "\n")] : [UInt8(ascii: "\n"), UInt8(ascii: " ")]
            let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.endIndex
            for index in start..<end { bytes[index] = UInt8(ascii: "x") }
        }
    }
}

package import DriverKit

/// A controller as the management interface lists it.
package struct ControllerIndex: Sendable, Equatable {
    /// How the management interface classifies a controller.
    package struct ControllerKind: RawRepresentable, Sendable, Hashable {
        /// The type in the extended list.
        package let rawValue: UInt8
        /// Makes a kind.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Ready for use.
        package static let configured = ControllerKind(rawValue: 0)
        /// Needs an address or vendor configuration.
        package static let unconfigured = ControllerKind(rawValue: 1)
        /// Only for high-speed transfers (AMP), next to a primary controller; older kernels list them.
        package static let alternate = ControllerKind(rawValue: 2)
    }

    /// The number in `hciN`.
    package var index: UInt16
    /// Its kind.
    package var kind: ControllerKind

    /// Makes an entry.
    package init(_ index: UInt16, _ kind: ControllerKind) {
        self.index = index
        self.kind = kind
    }

    /// Parses the answer to Read Extended Controller Index List: a count, then index (2 bytes), type and bus of each.
    package static func parse(extended bytes: [UInt8]) throws(DriverError) -> [Self] {
        var list: [Self] = []
        for offset in try offsets(in: bytes, size: 4) {
            guard let index = bytes.uint16(at: offset), let kind = bytes.byte(at: offset + 2) else { continue }
            list.append(Self(index, ControllerKind(rawValue: kind)))
        }
        return ordered(list)
    }

    /// Parses the answers to Read Controller Index List and Read Unconfigured Controller Index List: a count, then the
    /// index of each.
    package static func parse(configured: [UInt8], unconfigured: [UInt8]) throws(DriverError) -> [Self] {
        var list: [Self] = []
        for (bytes, kind) in [(configured, ControllerKind.configured), (unconfigured, .unconfigured)] {
            for offset in try offsets(in: bytes, size: 2) {
                if let index = bytes.uint16(at: offset) { list.append(Self(index, kind)) }
            }
        }
        return ordered(list)
    }

    private static func offsets(in bytes: [UInt8], size: Int) throws(DriverError) -> StrideTo<Int> {
        guard let count = bytes.uint16(at: 0), bytes.count == 2 + Int(count) * size else {
            throw .malformed("a list of \(bytes.count) bytes, which its count does not match")
        }
        return stride(from: 2, to: bytes.count, by: size)
    }

    // Each index once: a list that repeats one would otherwise yield a controller twice.
    private static func ordered(_ list: [Self]) -> [Self] {
        var seen: Set<UInt16> = [ManagementPacket.noController]
        return list.filter { seen.insert($0.index).inserted }.sorted { $0.index < $1.index }
    }
}

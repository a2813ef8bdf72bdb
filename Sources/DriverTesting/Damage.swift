internal import Synchronization

/// Seeded damage to bytes: the same seed damages the same way, so a failure is reproducible.
final class Damage: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) { state = Mutex(seed) }

    /// The bytes; about half of the calls damage them in one to three places.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        guard random(2) == 0 else { return bytes }
        var bytes = bytes
        for _ in 0...random(3) {
            guard !bytes.isEmpty else { return [UInt8(random(256))] }
            let place = random(bytes.count)
            switch random(6) {
            case 0: bytes[place] ^= 1 << UInt8(random(8))
            case 1: bytes[place] = UInt8(random(256))
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random(16)))
            case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + random(32))], at: place)
            case 4: bytes = Array(bytes.prefix(place))
            default: bytes.insert(contentsOf: (0...random(32)).map { _ in UInt8(random(256)) }, at: place)
            }
        }
        return bytes
    }

    // SplitMix64 (Steele, Lea, Flood 2014).
    private func random(_ bound: Int) -> Int {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
            return Int((word ^ (word >> 31)) % UInt64(bound))
        }
    }
}

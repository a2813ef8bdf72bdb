/// Seeded damage to bytes: the same seed gives the same mutants, so a failure can be reproduced.
public struct Mutations: Sequence, IteratorProtocol {
    private let seeds: [[UInt8]]
    private var state: UInt64
    private var left: Int

    /// Makes `count` mutants of the given seeds.
    public init(of seeds: [[UInt8]], count: Int, seed: UInt64 = 0x5eed) {
        self.seeds = seeds
        self.state = seed
        self.left = count
    }

    /// The next mutant: one to four flips, cuts, copies, insertions or joins of the seeds.
    public mutating func next() -> [UInt8]? {
        guard left > 0, !seeds.isEmpty else { return nil }
        left -= 1
        var bytes = seeds[random(seeds.count)]
        for _ in 0...random(4) { damage(&bytes) }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(random(256))) }
        let place = random(bytes.count)
        switch random(6) {
        case 0: bytes[place] ^= 1 << UInt8(random(8))
        case 1: bytes[place] = UInt8(random(256))
        case 2: bytes.removeSubrange(place..<Swift.min(bytes.count, place + 1 + random(16)))
        case 3: bytes.insert(contentsOf: bytes[place..<Swift.min(bytes.count, place + 1 + random(32))], at: place)
        case 4: bytes = Array(bytes.prefix(place))
        default: bytes.insert(contentsOf: seeds[random(seeds.count)].suffix(1 + random(64)), at: place)
        }
    }

    // SplitMix64 (Steele, Lea, Flood 2014).
    private mutating func random(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((word ^ (word >> 31)) % UInt64(bound))
    }
}

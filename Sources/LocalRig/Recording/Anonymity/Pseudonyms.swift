internal import DriverKit

/// The invented words of one recording: each original has one, wherever it occurs.
///
/// Only whole words are replaced (no letter or digit next to them), in any case.
struct Pseudonyms: Pseudonymizer {
    /// The pseudonyms of this host and this user.
    static let host = "host", user = "user"
    /// The user name that is the same on every machine.
    static let superuser = "root"

    private var words: [[UInt8]: [UInt8]] = [:]
    private var addresses: [[UInt8]: Int] = [:]
    /// The lengths of the words by their first byte, longest first.
    private var lengths: [UInt8: [Int]] = [:]

    /// Collects the words to replace.
    init(of recording: Recording, _ anonymizers: [any FrameAnonymizer]) {
        let header = recording.header
        learn(host: header.host, as: Self.host)
        if header.user != Self.superuser { learn(header.user, as: Self.user) }
        let endpoints = ([header.gpsd] + header.iio).compactMap(Self.host)
        for (number, host) in endpoints.enumerated() { learn(peer: host, number + 2) }
        for path in [header.grants?.file, header.policy?.file].compactMap(\.self) + header.iio { learn(namesIn: path) }
        var peers = 0
        for entry in recording.entries {
            learn(namesIn: entry.of)
            ([entry.driver, entry.of] + (entry.list ?? [])).forEach { learn(addressesIn: Array($0.utf8)) }
            if entry.ask == .connect, let peer = Self.peer(of: entry.of) {
                learn(peer: peer, 50 + peers)
                peers += 1
            }
            guard let bytes = entry.bytes else { continue }
            if entry.ask == .contents, entry.of == "/proc/sys/kernel/hostname" {
                learn(host: String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self), as: Self.host)
                continue
            }
            learn(addressesIn: bytes)
            for number in WrittenPath.serials(in: bytes) { learn(serial: number) }
            for number in SerialNumbers.all(in: bytes, file: entry.ask == .contents ? entry.of : "") {
                learn(serial: number)
            }
            guard entry.ask == .receive, let own = anonymizers.first(where: { $0.covers(entry.of) }) else { continue }
            for (number, identity) in own.identities(in: bytes, of: entry.of).enumerated() {
                switch identity {
                case .address(let address): learn(address: address)
                case .host(let host): learn(peer: host, 20 + number)
                }
            }
        }
        lengths = Dictionary(grouping: words.keys.filter { !$0.isEmpty }) { $0[0] }
            .mapValues { words in Set(words.map(\.count)).sorted(by: >) }
    }

    /// The machine of an endpoint described as `KIND at HOST:PORT`.
    private static func peer(of endpoint: String) -> String? {
        let words = endpoint.split(separator: " ").suffix(2)
        // A path is no machine.
        guard words.last?.hasPrefix("/") == false else { return nil }
        return words.first == "at" ? words.last.flatMap { HostPort($0, defaultPort: 0)?.host } : nil
    }

    // MARK: - Collecting

    private mutating func learn(host: String, as pseudonym: String) {
        learn(host, as: pseudonym)
        // Also the first label alone, but not a part of a number.
        if let label = host.split(separator: ".").first, host.contains(where: \.isLetter), label.count < host.count {
            learn(String(label), as: pseudonym)
        }
    }

    /// Learns the name of a user if a path leads into that user's home.
    private mutating func learn(namesIn path: String) {
        WrittenPath.homes(in: Array(path.utf8)).forEach { learn($0, as: Self.user) }
    }

    private mutating func learn(_ name: String, as pseudonym: String) {
        let word = lowercased(name.utf8)
        guard word.count > 1, word.contains(where: { isWord($0) && !isDigit($0) }),
            !Self.vocabulary.contains(String(decoding: word, as: UTF8.self)), words[word] == nil
        else { return }
        words[word] = Array(pseudonym.utf8)
    }

    /// Learns a machine that was asked over the network; the loopback reveals nothing.
    private mutating func learn(peer host: String, _ number: Int) {
        let word = lowercased(host.utf8)
        guard host != "localhost", host != "::1", !host.hasPrefix("127."), words[word] == nil else { return }
        if host.contains(":") {
            words[word] = Array("2001:db8::\(number)".utf8)
        } else if word.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) {
            words[word] = Array("192.0.2.\(number)".utf8)
        } else {
            learn(host: host, as: "host-\(number)")
        }
    }

    private mutating func learn(serial: ArraySlice<UInt8>) {
        let word = lowercased(serial)
        // Shorter ones are only replaced if they are the whole value.
        guard word.count >= 6, word.contains(where: isDigit), words[word] == nil else { return }
        let digits = String(words.count)
        words[word] = Array((String(repeating: "0", count: max(0, word.count - digits.count)) + digits).utf8)
    }

    private mutating func learn(addressesIn bytes: [UInt8]) {
        for found in WrittenAddress.all(in: bytes) { learn(address: found.address) }
    }

    private mutating func learn(address: [UInt8]) {
        // All zeros and all ones belong to no device.
        guard !address.allSatisfy({ $0 == 0 }), !address.allSatisfy({ $0 == 0xff }), addresses[address] == nil
        else { return }
        addresses[address] = addresses.count
        let bare = digits(of: address)
        words[bare] = digits(of: pseudonym(of: address))
        words[Array("enx".utf8) + bare] = Array("enx".utf8) + digits(of: pseudonym(of: address))
    }

    private func digits(of address: [UInt8]) -> [UInt8] { address.flatMap { hexadecimalDigits(of: $0) } }

    private static func host(of endpoint: String) -> String? {
        var rest = endpoint[...]
        if rest.hasPrefix("ip:") {
            rest = rest.dropFirst(3)
        } else if rest.hasPrefix("usb:") || rest.hasPrefix("xml:") {
            return nil
        }
        if rest.hasPrefix("[") { return rest.firstIndex(of: "]").map { String(rest[..<$0].dropFirst()) } }
        if rest.count(where: { $0 == ":" }) > 1 { return String(rest) }
        let host = rest.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }

    // MARK: - Replacing

    /// The invented address for an original; addresses of no device are unchanged.
    func pseudonym(of address: [UInt8]) -> [UInt8] {
        guard let number = addresses[address] else { return address }
        // The documentation range of RFC 7042, and beyond it, locally administered addresses.
        var invented: [UInt8] =
            number < 256
            ? [0x00, 0x00, 0x5e, 0x00, 0x53, UInt8(number)]
            : [0x02, 0x00, UInt8(truncatingIfNeeded: number >> 24)]
                + [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        invented += [UInt8](repeating: 0, count: max(0, address.count - invented.count))
        return Array(invented.prefix(address.count))
    }

    func replacing(in text: String) -> String { String(decoding: replacing(in: Array(text.utf8)), as: UTF8.self) }

    /// The bytes with every original replaced.
    func replacing(in bytes: [UInt8]) -> [UInt8] { replacing(inStream: [bytes])[0] }

    /// The frames of a stream with every original replaced, even if it spans frames: the replacement is then in the
    /// frame where the original began.
    func replacing(inStream frames: [[UInt8]]) -> [[UInt8]] {
        let bytes = Array(frames.joined())
        var edits = self.edits(in: bytes)[...]
        guard !edits.isEmpty else { return frames }
        var offset = 0
        return frames.map { frame in
            let end = offset + frame.count
            var result: [UInt8] = []
            while offset < end {
                guard let edit = edits.first, edit.range.lowerBound < end else {
                    result += bytes[offset..<end]
                    offset = end
                    break
                }
                if edit.range.lowerBound >= offset {
                    result += bytes[offset..<edit.range.lowerBound] + edit.bytes
                }
                offset = min(end, edit.range.upperBound)
                if edit.range.upperBound <= end { edits.removeFirst() }
            }
            return result
        }
    }

    /// The replacements in a text, in its order.
    private func edits(in bytes: [UInt8]) -> [(range: Range<Int>, bytes: [UInt8])] {
        var edits = WrittenAddress.all(in: bytes).map { found in
            (range: found.range, bytes: found.written(pseudonym(of: found.address), in: bytes))
        }
        var next = edits[...]
        var place = 0
        while place < bytes.count {
            if let edit = next.first, edit.range.lowerBound <= place {
                place = max(place, edit.range.upperBound)
                next.removeFirst()
                continue
            }
            guard place == 0 || !isWord(bytes[place - 1]), let edit = edit(at: place, in: bytes) else {
                place += 1
                continue
            }
            edits.append(edit)
            place = edit.range.upperBound
        }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The replacement of the longest word that begins at a place.
    private func edit(at place: Int, in bytes: [UInt8]) -> (range: Range<Int>, bytes: [UInt8])? {
        for length in lengths[lowercased(bytes[place...place])[0]] ?? [] {
            let end = place + length
            guard end <= bytes.count, end == bytes.count || !isWord(bytes[end]) else { continue }
            if let pseudonym = words[lowercased(bytes[place..<end])] { return (place..<end, pseudonym) }
        }
        return nil
    }

    /// Names that a rig may have but that the kernel, udev and gpsd use on every rig; they identify nobody.
    private static let vocabulary: Set<String> = Set(
        """
        accel activated active address bluetooth buffer bus class data dev device devices driver error events fix flags \
        gnss gps gpsd gyro hci0 hid host hostname hub i2c iio input kernel label lat linux localhost lon mode name native \
        nmea parity path pci platform poll power proc raw receiver release rfkill root run sensor serial simulated sky \
        soft hard speed spi state status subsystem sys time tpv tty type u-blox udev uevent uhid usb user version virtual \
        watch
        """.split(separator: " ").map(String.init))
}

/// Whether a byte belongs to a word: a letter, a digit, or a part of a character beyond ASCII.
func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 && byte < 0x80 || byte >= 0x80
}

func hexadecimalDigits(of byte: UInt8, uppercase: Bool = false) -> [UInt8] {
    (byte < 16 ? [UInt8(ascii: "0")] : []) + String(byte, radix: 16, uppercase: uppercase).utf8
}

func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

/// ASCII letters in lower case, other bytes unchanged.
func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
}

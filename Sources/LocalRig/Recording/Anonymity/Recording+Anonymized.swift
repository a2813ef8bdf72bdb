public import DriverKit

extension Recording {
    /// The recording without what reveals the owner and place of the rig; it replays to the same verdicts.
    ///
    /// Positions are rounded to 0.1°; addresses, serial numbers, host and user names become invented ones, the same
    /// everywhere; the boot's identifier becomes zeros. A driver's anonymizer handles its frames.
    /// `Sources/LocalRig/Recording/README.md` lists what is kept.
    public func anonymized(by anonymizers: [any FrameAnonymizer]) -> Recording {
        var result = self
        result.header.isAnonymized = true
        result.header.boot = "00000000-0000-0000-0000-000000000000"
        let names = Pseudonyms(of: self, anonymizers)
        result.header.host = Pseudonyms.host
        // A unit's or a container's name may name a product.
        result.header.subject = header.subject.map { _ in AccessSubject.process(1).id }
        result.header.user = header.user == Pseudonyms.superuser ? header.user : Pseudonyms.user
        result.header.grants = header.grants.map { $0.anonymized(by: names, boot: header.boot, result.header.boot) }
        result.header.policy = header.policy.map { $0.anonymized(by: names, boot: header.boot, result.header.boot) }
        result.header.kernel = names.replacing(in: header.kernel)
        result.header.drivers = header.drivers.map(names.replacing)
        result.header.gpsd = names.replacing(in: header.gpsd)
        result.header.iio = header.iio.map(names.replacing)
        result.entries = entries.map { $0.anonymized(by: names) }
        let conversations = Dictionary(
            grouping: entries.indices.filter { entries[$0].ask == .receive && entries[$0].bytes != nil },
            by: { Conversation(driver: entries[$0].driver, endpoint: entries[$0].of, channel: entries[$0].channel) })
        for (conversation, indices) in conversations {
            guard let own = anonymizers.first(where: { $0.covers(conversation.endpoint) }) else { continue }
            let frames = own.anonymized(
                indices.map { entries[$0].bytes ?? [] }, of: conversation.endpoint, by: names)
            for (place, index) in indices.enumerated() {
                result.entries[index].bytes = frames.indices.contains(place) ? frames[place] : []
            }
        }
        return result
    }

    private struct Conversation: Hashable {
        var driver, endpoint: String
        var channel: Int?
    }
}

extension Recording.File {
    /// The boot in records stays that of the header, so that their lifetime is unchanged.
    fileprivate func anonymized(by names: Pseudonyms, boot: String, _ other: String) -> Recording.File {
        let same = boot.isEmpty ? text : text.replacing(boot, with: other)
        return Recording.File(
            file: names.replacing(in: file), text: names.replacing(in: same), option: option.map(names.replacing))
    }
}

extension Entry {
    fileprivate func anonymized(by names: Pseudonyms) -> Entry {
        var entry = self
        entry.driver = names.replacing(in: driver)
        entry.of = names.replacing(in: of)
        entry.list = list?.map(names.replacing)
        if let error {
            entry.error?.subject = names.replacing(in: error.subject)
            entry.error?.detail = error.detail.map(names.replacing)
        }
        guard let bytes else { return entry }
        switch (ask, of) {
        case (.contents, "/etc/group"):
            // The members of a group decide nothing in a replay.
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let kept = lines.map { line in
                line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).prefix(3)
                    .joined(separator: [UInt8(ascii: ":")])
            }
            entry.bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")]))
        case (.contents, _) where SerialNumbers.isOne(file: of):
            entry.bytes = SerialNumbers.erased(bytes[...])
        default:
            entry.bytes = SerialNumbers.erasing(in: names.replacing(in: bytes))
        }
        return entry
    }
}

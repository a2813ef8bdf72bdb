internal import DriverKit

extension Recording {
    /// The recording without what tells whose rig it is and where it stands, which replays to the same verdicts.
    ///
    /// Positions are blurred to 0.1°; addresses, serial numbers, host and user names become invented ones, each the same
    /// one everywhere; the boot's identifier becomes zeros. `Sources/Recording/README.md` tells what stays.
    public func anonymized() -> Recording {
        var result = self
        result.header.isAnonymized = true
        result.header.boot = "00000000-0000-0000-0000-000000000000"
        let names = Pseudonyms(of: self)
        result.header.host = Pseudonyms.host
        result.header.user = header.user == Pseudonyms.superuser ? header.user : Pseudonyms.user
        result.header.grants = header.grants.map { $0.anonymized(by: names, boot: header.boot, result.header.boot) }
        result.header.policy = header.policy.map { $0.anonymized(by: names, boot: header.boot, result.header.boot) }
        result.header.kernel = names.replacing(in: header.kernel)
        result.header.drivers = header.drivers.map(names.replacing)
        result.header.gpsd = names.replacing(in: header.gpsd)
        result.header.iio = header.iio.map(names.replacing)
        result.entries = entries.map { $0.anonymized(by: names) }
        let streams = Dictionary(
            grouping: entries.indices.filter { entries[$0].ask == .receive && entries[$0].isGPSD },
            by: { StreamKey(driver: entries[$0].driver, channel: entries[$0].channel) })
        for indices in streams.values {
            // A value may be cut by the border of two frames, so the stream is taken whole.
            let frames = PositionBlur.blurred(indices.map { entries[$0].bytes ?? [] })
            for (index, frame) in zip(indices, names.replacing(inStream: frames)) where entries[index].bytes != nil {
                result.entries[index].bytes = frame
            }
        }
        return result
    }

    private struct StreamKey: Hashable {
        var driver: String
        var channel: Int?
    }
}

extension Recording.File {
    /// The boot that records name stays the header's, so that they live as long as they did.
    fileprivate func anonymized(by names: Pseudonyms, boot: String, _ other: String) -> Recording.File {
        let parts = boot.isEmpty ? [text[...]] : text.split(separator: boot, omittingEmptySubsequences: false)
        let same = parts.joined(separator: other)
        return Recording.File(
            file: names.replacing(in: file), text: names.replacing(in: same), option: option.map(names.replacing))
    }
}

extension Entry {
    /// Whether gpsd said or heard it; its endpoint is named so.
    fileprivate var isGPSD: Bool { of.hasPrefix("gpsd at ") }

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
        case (.receive, Endpoint.management.description):
            entry.bytes = BluetoothFrame.management(bytes, by: names)
        case (.receive, Endpoint.hci.description):
            entry.bytes = BluetoothFrame.information(bytes, by: names)
        case (.receive, _) where isGPSD, (_, Endpoint.rfkill.description): break
        case (.contents, "/etc/group"):
            // Who is in a group decides nothing in a replay.
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let kept = lines.map { line in
                line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).prefix(3)
                    .joined(separator: [UInt8(ascii: ":")])
            }
            entry.bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")]))
        case (.contents, _) where SerialNumbers.isOne(file: of):
            entry.bytes = SerialNumbers.erased(bytes[...])
        default:
            entry.bytes = SerialNumbers.erasing(in: ContextAttributes.erasing(in: names.replacing(in: bytes)))
        }
        return entry
    }
}

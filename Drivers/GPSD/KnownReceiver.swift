internal import DriverKit

/// A device that is taken for a location receiver, by gpsd's udev rules or by its own name.
struct KnownReceiver: Sendable, Equatable {
    /// The chip, or the adapter.
    var name: String
    /// Whether no other product has these numbers; serial adapters have many uses.
    var isCertain = true

    /// Makes a receiver with a name.
    init(name: String, isCertain: Bool = true) {
        self.name = name
        self.isCertain = isCertain
    }

    /// Recognises a receiver by its model name; cellular modules of the same makers are excluded.
    init?(model: String?) {
        guard let model, case let words = model.lowercased(), !words.includes("modem"),
            ["gps", "gnss", "u-blox"].contains(where: { words.includes($0) })
        else { return nil }
        self.init(name: model)
    }

    /// The devices of the rules, by USB vendor and product number.
    ///
    /// Source: gpsd 3.22, `/lib/udev/rules.d/60-gpsd.rules` as Debian 12 enables them.
    static let all: [String: KnownReceiver] = [
        "0557:2008": KnownReceiver(name: "ATEN UC-232A serial adapter", isCertain: false),
        "067b:2303": KnownReceiver(name: "Prolific PL2303 serial adapter", isCertain: false),
        "067b:aaa0": KnownReceiver(name: "PS-360"),
        "10c4:ea60": KnownReceiver(name: "CP210x serial adapter", isCertain: false),
        "10c4:ea71": KnownReceiver(name: "CP2108 serial adapter", isCertain: false),
        "1163:0100": KnownReceiver(name: "DeLorme Earthmate"),
        "1163:0200": KnownReceiver(name: "DeLorme LT-40"),
        "091e:0003": KnownReceiver(name: "Garmin GPS"),
        "1546:01a5": KnownReceiver(name: "u-blox 5"),
        "1546:01a6": KnownReceiver(name: "u-blox 6"),
        "1546:01a7": KnownReceiver(name: "u-blox 7"),
        "1546:01a8": KnownReceiver(name: "u-blox 8"),
        "1546:01a9": KnownReceiver(name: "u-blox 9"),
        "0e8d:3329": KnownReceiver(name: "MediaTek GPS"),
    ]
}

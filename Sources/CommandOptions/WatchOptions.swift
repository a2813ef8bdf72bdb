package import ArgumentParser

/// How a rig is followed.
package struct WatchOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: .value("seconds", "Read every sensor again at this interval (default: never)."))
    package var resample: Double?

    package init() {}

    package func validate() throws { try checkSeconds("resample", resample, in: 0.1...86_400) }
}

/// The brokers whose fleet is read.
package struct BrokerOptions: ParsableArguments {
    @Option(
        help: .value(
            "url",
            "Read the fleet from this broker: mqtt://HOST[:PORT] or mqtts://HOST[:PORT]; repeatable, tried in turn."))
    package var broker: [String] = []

    package init() {}
}

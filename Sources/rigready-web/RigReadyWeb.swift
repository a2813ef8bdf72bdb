import ArgumentParser
import Board
import CGlibc
import ConfigurationFiles
import DriverKit
import Fleet
import Glibc
import LocalRig
import Readiness
import SystemPackage

/// The board as a program: a page of this rig that changes with it.
@main
struct RigReadyWeb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rigready-web",
        abstract: "Serve a page that shows what this rig can do, as it changes.",
        discussion: """
            The page needs no script and changes by itself with one; it shows the signals of motion sensors and the \
            satellites of receivers while somebody looks. Nothing can be changed or run through it.

            By default only this machine can open it. An address that others reach makes a secret that each browser \
            exchanges once for a cookie; it is printed as an address, and as a QR code on a terminal.

            Exit status: 0 after a signal; 64 invalid arguments, or an address that cannot be used; 66 a file cannot be \
            read or is not valid; 70 an internal error.

            Try:
              rigready-web                          at http://127.0.0.1:8710/
              rigready-web --rig demo               a recorded rig
              rigready-web --listen 0.0.0.0:8710    for a phone in the same network
              rigready-web --broker mqtt://lab      and a lab's rigs, at /fleet/
              rigready-web --certificate board.pem --key board.key
              curl -N http://127.0.0.1:8710/events  the changes, for a program
            """,
        version: Release.version)

    @Option(help: .value("address:port", "Where to listen (default: \(Self.defaultAddress))."))
    var listen: String?

    @Option(
        help: .value("file", "Serve HTTPS with this certificate and those that vouch for it, in PEM."),
        completion: .file())
    var certificate: String?

    @Option(help: .value("file", "The private key of the certificate, in PEM."), completion: .file())
    var key: String?

    @Option(
        help: .value(
            "file", "Ask for the secret in this file, which is made (0600) if it is missing, and do not print it."),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: .value(
            "file", "Listen on this Unix socket too, without a secret: its owner and its group may open it (0660)."),
        completion: .file())
    var socket: String?

    @Option(
        help: .value(
            "file", "Use a recording instead of this machine: a file, or one of \(EmbeddedRig.names(partedBy: ", "))."),
        completion: .list(EmbeddedRig.names))
    var rig: String?

    @Option(
        help: .value("name", "Ask for these services, separated by commas; repeatable. See 'rigready services'."),
        completion: .custom(CompletionWords.services))
    var service: [String] = []

    @Option(
        help: .value("file", "Take services, options, licence, pins and accepted findings from this file."),
        completion: .file())
    var config: String?

    @Option(help: .value("version", "The requirement table: 1.x or 2.MINOR; the newest profile not newer."))
    var rules: String?

    @Option(
        help: .value("kind=key", "Pin the sensor under test; no other of its kind counts."),
        completion: .custom(CompletionWords.sensors))
    var sensor: [String] = []

    @Option(help: .value("host:port", "Where gpsd listens (default: \(BundledDrivers.gpsd))."))
    var gpsd: String?

    @Option(help: .value("uri", "Also probe this libiio context: ip:HOST, usb:…, xml:FILE; repeatable."))
    var iio: [String] = []

    @Option(
        help: .value(
            "url", "Show the fleet of this broker too: mqtt://HOST[:PORT] or mqtts://…; repeatable, tried in turn."))
    var broker: [String] = []

    @Flag(help: "Do not accept a simulated fix.")
    var noSimulated = false

    @Option(help: .value("metres", "The greatest horizontal error of a precise location (default: 100)."))
    var maxError: Double?

    @Flag(help: "Accept a position from dead reckoning, or of a time-only fix, as precise.")
    var allowEstimated = false

    @Option(help: .value("seconds", "The age above which a fix is stale (default: 10, or the recording's own)."))
    var maxAge: Double?

    @Option(help: .value("seconds", "Read every sensor again at this interval (default: never)."))
    var resample: Double?

    @Option(help: .value("file", "The user's grants, as for rigready."), completion: .file())
    var permissions: String?

    @Option(help: .value("file", "The system's policy, as for rigready."), completion: .file())
    var policy: String?

    @Option(
        help: .value("folder", "Write the page's style and script there, for a page in another program, and end."),
        completion: .directory)
    var writeFiles: String?

    static let defaultAddress = HostPort(host: "127.0.0.1", port: 8710)

    func validate() throws {
        if (certificate == nil) != (key == nil) {
            throw ValidationError("--certificate and --key belong together.")
        }
        func check(_ option: String, _ value: Double?, _ range: ClosedRange<Double>) throws {
            guard let value, !range.contains(value) else { return }
            throw ValidationError("--\(option) takes a number from \(range.lowerBound) to \(range.upperBound) seconds.")
        }
        try check("resample", resample, 0.1...86_400)
        try check("max-age", maxAge, 0...86_400 * 365)
        if let maxError, !(0.001...1_000_000 ~= maxError) {
            throw ValidationError("--max-error takes a number of metres from 0.001 to 1000000.")
        }
    }

    static func main() {
        // A file that may not grow (RLIMIT_FSIZE) is then an error of writing, and not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        do {
            let command = try parse()
            try command.run()
        } catch {
            switch error {
            case let error as LocalRigError:
                leave(error.description, error.code == .unusableFile ? 66 : error.code == .invalidRequest ? 64 : 70)
            case _ where exitCode(for: error) == .success:
                // Help, the version, or a completion script.
                _ = try? FileDescriptor.standardOutput.writeAll(
                    Array((CompletionScript.literal(fullMessage(for: error)) + "\n").utf8))
                _exit(0)
            case _ where exitCode(for: error) == .validationFailure:
                leave("\(message(for: error)) See 'rigready-web --help'.", 64)
            default: leave("\(error)", 70)
            }
        }
    }

    func run() throws {
        if let writeFiles { return try BoardFiles.write(to: writeFiles) }
        // Every thread inherits that these signals wait for this one.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Threads that allocate little need no arenas of their own.
        _ = mallopt(M_ARENA_MAX, 1)
        let address = try BoardAddress(listen ?? Self.defaultAddress.description)
        let rig = try LocalRig(options())
        let configured = rig.configuration
        let brokers = try BrokerConfiguration(named: broker, by: "--broker", or: configured.broker)
        if let warning = brokers?.passwordWarning { Self.complain(warning) }
        let asked = try ServiceSet(Service.all(named: service, by: "--service"))
        let fleet = brokers.map { FleetFeed($0, services: service.isEmpty ? configured.services : asked) }
        let feed = try BoardFeed(rig, resample: resample, linksFleet: fleet != nil, complain: Self.complain)
        try serve(feed, fleet, at: address)
        var number: CInt = 0
        while unsafe sigwait(&signals, &number) == 0, number == SIGHUP { feed.readFiles() }
        // At once: a thread may be in the kernel, reading a sensor that hangs.
        _exit(0)
    }

    private func options() throws -> LocalRig.Options {
        var options = LocalRig.Options.environment
        if let rig { options.read(.recording(rig)) }
        let services = try Service.all(named: service, by: "--service")
        options.services = services.isEmpty ? nil : services
        options.rules = try rules.map(RulesVersion.named)
        options.configurationFile = config ?? options.configurationFile
        options.pins = try LocalRig.Options.pins(sensor)
        options.allowsSimulated = noSimulated ? false : nil
        options.maximumError = maxError
        options.allowsEstimated = allowEstimated ? true : nil
        options.maximumAge = maxAge.map { .seconds($0) }
        if let gpsd {
            guard let peer = HostPort(gpsd, defaultPort: BundledDrivers.gpsd.port) else {
                throw LocalRigError(.invalidRequest, "--gpsd takes HOST:PORT, not '\(gpsd)'.")
            }
            options.gpsd = peer
        }
        try LocalRig.Options.checkContexts(iio)
        options.iio = iio
        options.grantFile = permissions ?? options.grantFile
        options.policyFile = policy ?? options.policyFile
        return options
    }

    static func complain(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array("rigready-web: \(text.singleLine)\n".utf8))
    }

    static func leave(_ text: String, _ status: Int32) -> Never {
        complain(text)
        _exit(status)
    }
}

/// The words in the form that the parser asks for.
extension CompletionWords {
    @Sendable fileprivate static func sensors(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        sensors(ofRigIn: arguments, isForZsh: CompletionShell.requesting == .zsh)
    }
}

extension ArgumentHelp {
    /// The help of an option that takes a value.
    fileprivate static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name)
    }
}

#if !Web
    struct BoardAddress {
        init(_ text: String) throws(LocalRigError) {
            throw LocalRigError(
                .invalidRequest, "this build has no server; build it with --traits IIO,Evdev,Bluetooth,GPSD,Web")
        }
    }

    extension RigReadyWeb {
        fileprivate func serve(_ feed: BoardFeed, _ fleet: FleetFeed?, at address: BoardAddress) throws {}
    }
#endif

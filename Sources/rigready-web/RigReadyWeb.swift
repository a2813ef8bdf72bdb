import ArgumentParser
import CGlibc
import CommandOptions
import LocalRig
import DriverKit
import Fleet
import Glibc
import Readiness
import SystemPackage

/// The board as a program: a page of this rig that changes with it.
@main
struct RigReadyWeb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rigready-web",
        abstract: "Serve a page that shows what this rig can do, as it changes.",
        discussion: """
            The page works without JavaScript; with JavaScript it updates automatically. It shows the signals of \
            motion sensors and the satellites of receivers while a viewer has it open. Nothing can be changed or run \
            through it.

            By default only this machine can open it. If other machines can reach the address, the program creates a \
            secret and prints it in a URL, on a terminal also as a QR code. Each browser exchanges it once for a cookie.

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
        help: .value("file", "Serve HTTPS with this certificate and its chain, in PEM."),
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

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var following: WatchOptions
    @OptionGroup var broker: BrokerOptions

    @Option(
        help: .value("folder", "Write the page's style and script there, for a page in another program, and end."),
        completion: .directory)
    var writeFiles: String?

    static let defaultAddress = HostPort(host: "127.0.0.1", port: 8710)

    func validate() throws {
        if (certificate == nil) != (key == nil) {
            throw ValidationError("--certificate and --key belong together.")
        }
    }

    static func main() {
        SubjectServer.serveIfStarted()
        // A file that may not grow (RLIMIT_FSIZE) is then an error of writing, and not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        do {
            let command = try parse()
            try command.run()
        } catch {
            switch error {
            case let error as LocalRigError:
                fail(error.description, error.code == .unusableFile ? 66 : error.code == .invalidRequest ? 64 : 70)
            case _ where exitCode(for: error) == .success:
                // Help, the version, or a completion script.
                _ = try? FileDescriptor.standardOutput.writeAll(
                    Array((CompletionScript.literal(fullMessage(for: error)) + "\n").utf8))
                _exit(0)
            case _ where exitCode(for: error) == .validationFailure:
                let words = Array(CommandLine.arguments.dropFirst())
                fail("\(complaint(about: error, in: words)) See 'rigready-web --help'.", 64)
            default: fail("\(error)", 70)
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
        let rig = try LocalRig(rigOptions)
        rig.remarks.forEach(Self.complain)
        let configured = rig.configuration
        let brokers = try BrokerConfiguration(named: broker.broker, by: "--broker", or: configured.broker)
        if let warning = brokers?.passwordWarning { Self.complain(warning) }
        let asked = try ServiceSet(services.services)
        let fleet = brokers.map { FleetFeed($0, services: asked.isEmpty ? configured.services : asked) }
        let feed = try BoardFeed(rig, resample: following.resample, linksFleet: fleet != nil, complain: Self.complain)
        try serve(feed, fleet, at: address)
        var number: CInt = 0
        while unsafe sigwait(&signals, &number) == 0, number == SIGHUP { feed.readFiles() }
        // At once: a thread may be in the kernel, reading a sensor that hangs.
        _exit(0)
    }

    /// The options of the rig; throws if one is not valid.
    var rigOptions: LocalRig.Options {
        get throws(LocalRigError) { try LocalRig.Options(services, options, reading, user) }
    }

    static func complain(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array("rigready-web: \(text.singleLine)\n".utf8))
    }

    static func fail(_ text: String, _ status: Int32) -> Never {
        complain(text)
        _exit(status)
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

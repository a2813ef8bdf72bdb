import Linux
import LocalRig
import DriverKit
import Fleet
import Glibc
import Rendering
import SystemPackage
import PhoneKit

enum Output {
    /// Encodes one document with sorted keys, so that equal reports are equal bytes.
    static func document(_ value: some Encodable, onOneLine: Bool = false) throws(CommandFailure) -> String {
        try rethrowing(
            as: { (error: any Error) in CommandFailure(.software, "the report cannot be written as JSON: \(error)") },
            try String(json: value, onOneLine: onOneLine))
    }

    /// Opens standard input, output and error if the caller closed them.
    ///
    /// Otherwise another file could take their descriptors and receive the output. Writing to a closed one still fails.
    static func holdStandardDescriptors() {
        for place in 0...2 where fcntl(CInt(place), F_GETFD) < 0 {
            // The lowest free descriptor is used, which is this one; it is read-only.
            _ = try? FileDescriptor.open(FilePath("/dev/null"), .readOnly)
        }
    }

    /// Writes part of a result to standard output; exits silently if the reader has closed it.
    static func write(_ text: String) {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(Array(text.utf8))
        } catch {
            let errno = error as? Errno
            if errno == .brokenPipe { ProbeProcess.end(128 + SIGPIPE) }
            fail(CommandFailure(.cannotWrite, "standard output: \(errno?.clause ?? "\(error)")"))
        }
    }

    /// Writes a whole result to standard output and exits.
    ///
    /// The output is complete by then, so it does not wait for threads that a device blocks, or for libraries that they
    /// are in. If the reader has closed it, it exits silently.
    static func finish(_ text: String, status: Int32) -> Never {
        write(text)
        ProbeProcess.end(status)
    }

    /// Prints why a command failed, and exits with the status for it.
    static func fail(_ failure: CommandFailure) -> Never {
        complain(failure.description)
        ProbeProcess.end(failure.status.rawValue)
    }

    static func complain(_ text: String) { log("rigready: \(text.singleLine)\n") }

    /// Writes text to standard error: a log, or a question, which is visible even if the result goes to a pipe.
    static func log(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(spelled(text).utf8))
    }

    /// Writes a line of text to standard output.
    static func writeLine(_ line: String) { write(spelled(line.singleLine) + "\n") }

    /// The text in the characters that this process prints; a document, such as JSON, stays as it is.
    static func spelled(_ text: String) -> String { Terminal.printsASCII ? text.inASCII : text }
}

/// Why a command failed, with its exit status of the contract.
struct CommandFailure: Error, CustomStringConvertible {
    enum ExitCode: Int32 {
        /// Not an error of the call: the result is undetermined.
        case cannotTell = 2
        case usage = 64
        case badFile = 66
        case software = 70
        case cannotWrite = 73
    }

    var status: ExitCode
    var description: String

    init(_ status: ExitCode, _ description: String) {
        self.status = status
        self.description = description
    }
}

extension CommandFailure {
    /// The failure of an error of the libraries, with its exit status of the contract; nil for the parser's own errors.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LocalRigError:
            let statuses: [LocalRigError.Code: ExitCode] = [.invalidRequest: .usage, .unusableFile: .badFile]
            self.init(statuses[error.code] ?? .software, error.description)
        case let error as DecisionFileError:
            self.init(error.isOfWriting ? .cannotWrite : .badFile, error.description)
        case let error as BrokerError:
            self.init(error.code == .unusableFile ? .badFile : .software, error.description)
        case PermissionRequestError.file(let error): self.init(error)
        case let error as SystemServiceError:
            switch error.kind {
            case .request(.file(let error)): self.init(error)
            case .request(.noGrantFile): self.init(.cannotWrite, "\(error)")
            default: self.init(.software, "\(error)")
            }
        case is ConfigurationError, is PropertyListError: self.init(.badFile, "\(error)")
        default: return nil
        }
    }
}

/// The capabilities of the terminal, if any.
struct Terminal {
    /// Whether colour is used: on a terminal, unless NO_COLOR is set or TERM is dumb.
    var colour: Bool
    var width: Int
    /// Its lines; nil where it is no terminal.
    var height: Int?
    /// Whether text is in ASCII.
    var isASCII = false

    /// The text in the characters of the terminal.
    func spelled(_ text: String) -> String { isASCII ? text.inASCII : text }

    /// Whether this process prints text in ASCII: with `--ascii`, or where the characters of the locale are not UTF-8.
    ///
    /// The arguments are read here because the parser's own errors are text, too.
    static let printsASCII =
        CommandLine.arguments.prefix { $0 != "--" }.contains("--ascii") || !hasUTF8(Environment.value)

    /// Whether the characters of a locale are UTF-8, by the name that setlocale(3) takes for LC_CTYPE.
    ///
    /// Without a name the locale is C, as for setlocale and tmux: a serial console has none, and every terminal shows
    /// ASCII. systemd assumes UTF-8 there. The name is enough, as for tmux: a small system may have no locale installed.
    static func hasUTF8(_ variable: (String) -> String?) -> Bool {
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first?.lowercased() ?? ""
        return name.includes("utf-8") || name.includes("utf8")
    }

    /// A file: 100 columns without colour, in UTF-8.
    static let file = Terminal(colour: false, width: 100)

    /// The terminal on standard output; otherwise 100 columns, without colour unless it is always wanted.
    static func standardOutput(_ color: ColorChoice = .auto) -> Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let size = size(of: STDOUT_FILENO)
        let colour =
            switch color {
            case .always: true
            case .never: false
            case .auto:
                isTerminal && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
            }
        return Terminal(
            colour: colour, width: size?.width ?? 100, height: size?.height, isASCII: printsASCII)
    }

    /// The columns of the terminal on standard error, where progress is shown; 80 if it is none.
    static var widthOfProgress: Int { size(of: STDERR_FILENO)?.width ?? 80 }

    /// The columns, at least 20, and the rows of the terminal behind a descriptor; nil if it is none or does not tell.
    private static func size(of descriptor: CInt) -> (width: Int, height: Int?)? {
        // struct winsize: rows, columns, and two unused fields.
        var size: [UInt16] = [0, 0, 0, 0]
        guard isatty(descriptor) == 1, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size[1] > 0 else {
            return nil
        }
        return (max(20, Int(size[1])), size[0] > 0 ? Int(size[0]) : nil)
    }

    /// The width of help: that of the terminal, or what COLUMNS says, else 80.
    static var widthOfHelp: Int {
        if let columns = Environment.value("COLUMNS").flatMap({ Int($0) }), columns > 0 { return max(20, columns) }
        let terminal = standardOutput()
        return terminal.height == nil ? 80 : terminal.width
    }

    enum Style: String {
        case good = "32"
        case bad = "31"
        case doubtful = "33"
        case strong = "1"
        case faint = "2"
    }

    func styled(_ text: String, _ style: Style?) -> String {
        guard colour, let style, !text.isEmpty else { return text }
        return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
    }
}

enum OutputFile {
    /// Checks, before long work, that a file can be written: that its folder exists and allows it.
    static func check(_ name: String) throws(CommandFailure) {
        let target = try target(of: name)
        let present = try? Stat(target)
        if present?.type == .directory { throw CommandFailure(.cannotWrite, "\(name): \(Errno.isDirectory.clause)") }
        let folder = target.removingLastComponent()
        let place = present.map { $0.type != .regular } == true ? target : folder.isEmpty ? "." : folder
        guard unsafe faccessat(AT_FDCWD, place.string, W_OK, AT_EACCESS) == 0 else {
            throw CommandFailure(.cannotWrite, "\(name): \(Errno(rawValue: errno).clause)")
        }
    }

    /// The same for a file that must not exist, unless the user allows that it is replaced.
    static func checkNew(_ name: String, overwrites: Bool) throws(CommandFailure) {
        // A link is a file here, even if it leads to none.
        if !overwrites, InputFile.exists(name) {
            throw CommandFailure(
                .cannotWrite, "\(name): the file exists; choose another name, or replace the file with --force")
        }
        try check(name)
    }

    /// Writes a new file as a whole; with `overwrites` it may replace another regular file.
    ///
    /// A link is followed, unless another user may have set it as a trap.
    static func create(
        _ name: String, with bytes: [UInt8], access: AtomicFile.FileAccess, overwrites: Bool
    ) throws(CommandFailure) {
        let target = try target(of: name)
        if let present = try? Stat(target), present.type != .regular {
            throw CommandFailure(.cannotWrite, "\(name): expected a regular file, or none")
        }
        do {
            try AtomicFile.replace(target, with: bytes, access: access, overwrites: overwrites)
        } catch {
            throw CommandFailure(.cannotWrite, "\(name): \((error as? Errno)?.clause ?? "\(error)")")
        }
    }

    private static func target(of name: String) throws(CommandFailure) -> FilePath {
        try rethrowing(
            as: { (error: ForeignFileError) in CommandFailure(.cannotWrite, "\(name): \(error)") },
            try AtomicFile.target(of: FilePath(name)))
    }

    /// Replaces a file as a whole, or leaves it unchanged: writes a temporary file next to it, flushes it, then renames
    /// it.
    ///
    /// A link is followed, unless another user may have set it as a trap; a pipe, a terminal or a device, which cannot be
    /// replaced, is written to. A file that is replaced keeps its mode and owner. A new one gets what the umask leaves; a
    /// recording, which tells where the rig was, is for its owner only.
    static func replace(_ name: String, with bytes: [UInt8], isRecording: Bool = false) throws(CommandFailure) {
        do {
            let path = FilePath(name)
            let target = try AtomicFile.target(of: path)
            guard let present = try? Stat(path), present.type != .regular else {
                let new = FilePermissions(rawValue: isRecording ? 0o600 : 0o666)
                return try AtomicFile.replace(target, with: bytes, access: .asBefore(new: new))
            }
            // What is no regular file is opened by its own name: links in /proc lead to files without one.
            let file = try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec, .nonBlocking])
            try file.closeAfter {
                // Somebody may have replaced it meanwhile.
                guard try Stat(file).type != .regular else { throw Errno.permissionDenied }
                _ = try file.writeAll(bytes)
            }
        } catch {
            throw CommandFailure(.cannotWrite, "\(name): \((error as? Errno)?.clause ?? "\(error)")")
        }
    }
}

import Readiness
import Configuration
import DriverKit
import FoundationEssentials
import Glibc
import Readiness
import SystemPackage

/// Writes results and messages.
enum Output {
    /// Encodes one document with sorted keys, so that equal reports are equal bytes.
    static func document(_ value: some Encodable) throws(CommandFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw CommandFailure(.software, "the report cannot be written as JSON: \(error)")
        }
    }

    /// Encodes one document on one line with sorted keys.
    static func line(_ value: some Encodable) throws(CommandFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw CommandFailure(.software, "the report cannot be written as JSON: \(error)")
        }
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
            leave(CommandFailure(.cannotWrite, "standard output: \(errno?.clause ?? "\(error)")"))
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
    static func leave(_ failure: CommandFailure) -> Never {
        complain(failure.description)
        ProbeProcess.end(failure.status.rawValue)
    }

    /// Prints a message on standard error.
    static func complain(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array("rigready: \(text.singleLine)\n".utf8))
    }

    /// Writes a line of a service's log to standard error.
    static func log(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(line.utf8))
    }

    /// Writes a question to standard error, where it is visible even if the result goes to a pipe.
    static func prompt(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }
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

/// The capabilities of the terminal, if any.
struct Terminal {
    /// Whether colour is used: on a terminal, unless NO_COLOR is set or TERM is dumb.
    var colour: Bool
    /// The number of columns.
    var width: Int

    /// The terminal on standard output; otherwise 100 columns without colour.
    static var current: Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        // struct winsize: rows, columns, and two unused fields.
        var size: [UInt16] = [0, 0, 0, 0]
        let status = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        let known = isTerminal && status == 0 && size[1] > 0
        let plain = Environment.value("NO_COLOR") != nil || Environment.value("TERM") == "dumb"
        return Terminal(colour: isTerminal && !plain, width: known ? max(20, Int(size[1])) : 100)
    }

    /// A style of text.
    enum Style: String {
        case good = "32"
        case bad = "31"
        case doubtful = "33"
        case strong = "1"
        case faint = "2"
    }

    /// Returns the text in a style, if the terminal has colour.
    func styled(_ text: String, _ style: Style?) -> String {
        guard colour, let style, !text.isEmpty else { return text }
        return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
    }
}

import Readiness
import Configuration
import DriverKit
import FoundationEssentials
import Glibc
import Readiness
import SystemPackage

/// Where results and complaints go.
enum Output {
    /// One document, keys sorted, so that equal reports are equal bytes.
    static func document(_ value: some Encodable) throws(CommandFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw CommandFailure(.software, "the report cannot be written as JSON: \(error)")
        }
    }

    /// One document on one line, keys sorted.
    static func line(_ value: some Encodable) throws(CommandFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw CommandFailure(.software, "the report cannot be written as JSON: \(error)")
        }
    }

    /// Holds the places of standard input, output and error where the caller closed them.
    ///
    /// Another file that came to lie there would get what is written. What is written to a closed one fails as before.
    static func holdStandardDescriptors() {
        for place in 0...2 where fcntl(CInt(place), F_GETFD) < 0 {
            // The lowest free place is taken, which is this one; it can only be read.
            _ = try? FileDescriptor.open(FilePath("/dev/null"), .readOnly)
        }
    }

    /// Writes a part of a result to standard output; a reader that has gone ends the program silently.
    static func write(_ text: String) {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(Array(text.utf8))
        } catch {
            let errno = error as? Errno
            if errno == .brokenPipe { _exit(128 + SIGPIPE) }
            leave(CommandFailure(.cannotWrite, "standard output: \(errno?.clause ?? "\(error)")"))
        }
    }

    /// Writes a result to standard output whole and ends the program.
    ///
    /// The result is out by then, so threads that a device still holds, and libraries that they are in, are not waited
    /// for. A reader that has gone ends the program silently.
    static func finish(_ text: String, status: Int32) -> Never {
        write(text)
        _exit(status)
    }

    /// Says why a command cannot do its work, and ends the program with the status for it.
    static func leave(_ failure: CommandFailure) -> Never {
        complain(failure.description)
        _exit(failure.status.rawValue)
    }

    /// Says something on standard error.
    static func complain(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array("rigready: \(text.singleLine)\n".utf8))
    }

    /// Writes a line of a service's log on standard error.
    static func log(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(line.utf8))
    }

    /// Puts a question on standard error, where it stands even if the result goes into a pipe.
    static func prompt(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }
}

/// Why a command cannot do its work, with its exit status of the contract.
struct CommandFailure: Error, CustomStringConvertible {
    enum ExitCode: Int32 {
        /// Not a fault of the call: what was asked cannot be told.
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

/// What the terminal, if any, can show.
struct Terminal {
    /// Whether colour is wanted: on a terminal, unless NO_COLOR is set or TERM is dumb.
    var colour: Bool
    /// Columns.
    var width: Int

    /// The terminal on standard output; 80 columns without colour where there is none.
    static var current: Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        // struct winsize: rows, columns, and two that nobody fills.
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

    /// The text in a style, where the terminal has colour.
    func styled(_ text: String, _ style: Style?) -> String {
        guard colour, let style, !text.isEmpty else { return text }
        return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
    }
}

package import ArgumentParser
internal import FoundationEssentials

/// A command and its options, as the parser knows them.
package struct CommandOutline {
    /// An option of a command.
    package struct Option: Hashable {
        /// The names with their hyphens, such as `--rig`.
        package var names: [String]
        /// The word for its value; nil for a flag.
        package var value: String?
        /// The help.
        package var abstract: String
        /// The words that complete it; empty if these are not a list.
        package var words: [String]
    }

    /// The words that name it after the program's name; two for a default command, which its parent names too.
    package var paths: [[String]]
    /// Its name in messages, such as `permissions request`.
    package var title: String
    package var options: [Option]

    /// The options by their names.
    package var optionNames: [String] { options.flatMap(\.names) }
}

extension [CommandOutline] {
    /// The commands of a program; the program itself if it has none.
    package init(of program: any ParsableCommand.Type) {
        let dump = Data(program._dumpHelp().utf8)
        guard let root = try? JSONDecoder().decode(DumpedHelp.self, from: dump).command else {
            self = []
            return
        }
        self = root.outlines()
    }

    /// The command that the words of a call name.
    package func named(in words: [String]) -> CommandOutline? {
        func match(_ outline: CommandOutline) -> Int? {
            outline.paths.filter { words.starts(with: $0) }.map(\.count).max()
        }
        return compactMap { outline in match(outline).map { (outline, $0) } }.max { $0.1 < $1.1 }?.0
    }

    /// The titles of the commands that have an option, or one of its words.
    package func titles(with option: String, word: String? = nil) -> [String] {
        filter { outline in
            outline.options.contains { $0.names.contains(option) && (word.map($0.words.contains) ?? true) }
        }
        .map(\.title)
    }
}

/// What the parser prints for `--experimental-dump-help`.
private struct DumpedHelp: Decodable {
    struct Command: Decodable {
        var commandName: String
        var defaultSubcommand: String?
        var subcommands: [Command]?
        var arguments: [Argument]?

        func outlines(_ path: [String] = [], isDefault: Bool = false) -> [CommandOutline] {
            let inner = (subcommands ?? []).filter { $0.commandName != "help" }
            guard inner.isEmpty else {
                return inner.flatMap {
                    $0.outlines(path + [$0.commandName], isDefault: $0.commandName == defaultSubcommand)
                }
            }
            let parent = path.dropLast()
            let title = isDefault && !parent.isEmpty ? Array(parent) : path.isEmpty ? [commandName] : path
            return [
                CommandOutline(
                    paths: isDefault ? [path, Array(parent)] : [path], title: title.joined(separator: " "),
                    options: (arguments ?? []).compactMap(\.option))
            ]
        }
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        struct Completion: Decodable {
            struct List: Decodable { var values: [String] }
            var list: List?
        }

        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var completionKind: Completion?

        /// The option; nil for another argument.
        var option: CommandOutline.Option? {
            guard kind != "positional", let names else { return nil }
            return CommandOutline.Option(
                names: names.map { ($0.kind == "long" ? "--" : "-") + $0.name },
                value: kind == "flag" ? nil : valueName, abstract: abstract ?? "",
                words: completionKind?.list?.values ?? [])
        }
    }

    var command: Command
}

internal import LocalRig

/// The completion script that swift-argument-parser generates for a shell, changed so that no shell evaluates a word.
///
/// The parser's script for bash passes the words to `compgen -W`, which expands each of them, command substitution
/// included: the name of a file or the key of a sensor would run a command. Source: bash(1), "Programmable Completion".
package enum CompletionScript {
    /// The script with words that are compared and never expanded, and with `--rig` completed by the shell's own file
    /// completion after the names of the embedded rigs.
    package static func literal(_ script: String) -> String {
        let rigs = EmbeddedRig.names
        let bashList = " -W " + rigs.map { "'\($0)'" }.joined(separator: "$'\\n'")
        let fishList = " '\(rigs.joined(separator: " "))'"
        return script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasSuffix("_add_completions() {") { return line + comparison }
            // Files after the names.
            if line.hasSuffix(bashList) { return "\(line)\n\(line.dropLast(bashList.utf8.count)) -f" }
            return line.replacing(#""${___rig[@]}"}'"#, with: #""${___rig[@]}";_files}'"#)
                .replacing("-rfka" + fishList, with: "-rFka" + fishList)
        }
        .joined(separator: "\n")
    }

    /// The beginning of the function that adds words in bash, in place of `compgen -W`.
    ///
    /// A word that the line has in part may be quoted by backslashes. What is not plain is quoted here and not taken for the
    /// name of a file: bash expands the folder of such a name to find out whether it exists, and with it a command in a
    /// parameter or an arithmetic expansion (`bash_filename_stat_hook` of bash's `bashline.c`).
    private static let comparison = #"""

            if [[ "${1}" = -W ]]; then
                local -a offered
                mapfile -t offered <<<"${2}"
                local word quoted
                for word in "${offered[@]}"; do
                    if [[ -n "${word}" && "${word}" = "${cur//\\/}"* ]]; then
                        printf -v quoted %q "${word}"
                        [[ "${quoted}" = "${word}" ]] || compopt +o filenames
                        COMPREPLY+=("${quoted}")
                    fi
                done
                return
            fi
        """#
}

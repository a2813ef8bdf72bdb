import CommandOptions

/// Two rules of this program's command line that the parser's completion script lacks.
///
/// Options without a command are those of `check`, as for the program itself. And bash splits a line at each `=`, which
/// here is part of a value, such as that of `--sensor accelerometer=…`.
extension CompletionScript {
    /// The script with both rules, and with words that no shell evaluates; unchanged where the parser writes another one.
    static func completed(_ script: String) -> String {
        let lines = [bash, zsh, fish]
        return literal(script).split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in lines.first { line == $0.place }?.text ?? String(line) }
            .joined(separator: "\n")
    }

    private static let bash = (
        place: "complete -o filenames -F _rigready rigready",
        text: #"""
        _rigready_line() {
            local -a line=()
            local -i at cword=0
            for ((at = 0; at < ${#COMP_WORDS[@]}; at++)); do
                if ((${#line[@]} > 1)) && [[ ${line[-1]} != -* && (${COMP_WORDS[at]} == "=" || ${line[-1]} == *=) ]]; then
                    line[-1]+="${COMP_WORDS[at]}"
                else
                    line+=("${COMP_WORDS[at]}")
                fi
                ((at != COMP_CWORD)) || cword=$((${#line[@]} - 1))
            done
            local COMP_LINE="${COMP_LINE}"
            local -i COMP_POINT="${COMP_POINT}"
            if [[ ${line[1]} == -* ]]; then
                line=("${line[0]}" check "${line[@]:1}")
                COMP_LINE="${COMP_LINE/#"${line[0]}"/"${line[0]}" check}"
                ((cword += 1, COMP_POINT += 6))
            fi
            local -a COMP_WORDS=("${line[@]}")
            local -i COMP_CWORD="${cword}"
            local current="${line[cword]}"
            _rigready "${1}" "${current}" "${line[cword - 1]}"
            # What is before the last sign is on the line already.
            if [[ ${current} == *=* && ${current} != "${2}" ]]; then COMPREPLY=("${COMPREPLY[@]#"${current%=*}="}"); fi
        }
        complete -o filenames -F _rigready_line rigready
        """#
    )

    private static let zsh = (
        place: #"    local -r command_name="${words[1]}""#,
        text: #"""
            if [[ "${words[2]}" = -* ]]; then
                words=("${words[1]}" check "${(@)words[2,-1]}")
                (( CURRENT += 1 ))
            fi

            local -r command_name="${words[1]}"
        """#
    )

    private static let fish = (
        place: "    set -l unparsed_tokens (__rigready_tokens -pc)",
        text: """
            set -l unparsed_tokens (__rigready_tokens -pc)
            set -l first (__rigready_tokens -pc) (commandline -ct)
            if string match -q -- '-*' "$first[2]"
                set unparsed_tokens $unparsed_tokens[1] check $unparsed_tokens[2..]
            end
        """
    )
}

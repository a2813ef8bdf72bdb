"""Where Swift source can be mutated, and how. Every rewrite keeps its lines, so that a compiler's error names its site."""

import hashlib
import re
from dataclasses import dataclass

CLOSING = {"(": ")", "[": "]", "{": "}"}
OPENING = {closing: opening for opening, closing in CLOSING.items()}
SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
# What ends an operand to the left and to the right; a logical operator ends the operands of those that bind closer.
LEFT_STOPS = r"(?:[,;{(\[]|\s[-+*/|&]?=|\s\?|:|->|\b(?:return|if|guard|while|where|in|else|case|try|await|unsafe|throw))\s*$"
RIGHT_STOPS = r"\s*(?:[,;:{}()\[\]]|\s\?\s|\belse\b|$)"
NOT_CALLED = r"(?:let|var|return|if|guard|while|for|switch|case|default|func|init|throw|defer|do|import|else|repeat|in|is|as)\b"


@dataclass(frozen=True)
class Site:
    """One possible mutation: the text from `start` to `end` becomes `prefix` + mutated(0xID) + `suffix`."""

    id: str
    module: str
    file: str
    function: str
    line: int
    last_line: int
    what: str
    start: int
    end: int
    prefix: str
    suffix: str

    def rewritten(self):
        return f"{self.prefix}mutated(0x{self.id}){self.suffix}"


def masked(text):
    """The text with comments and the contents of strings blanked, of the same length and lines."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)"""(?:\\.|.)*?"""\1|(#+)".*?"\2|"(?:\\\((?:[^()"]|"[^"\n]*"|\((?:[^()]|\([^()]*\))*\))*\)|\\.|[^"\\\n])*"', re.S)

    def blank(match):
        found = match.group()
        blanked = re.sub(r"[^\n]", " " if found.startswith("/") else "_", found)
        return blanked if found.startswith("/") else '"' + blanked[1:-1] + '"'

    return pattern.sub(blank, text)


def functions(text):
    """For each opening brace its end and the name of what it declares, None for a plain block."""
    kinds = r"func|init|subscript|deinit|struct|class(?!\s+(?:func|var|let|subscript)\b)|enum|extension|actor|protocol"
    words = r"(?:[a-z@]\w*(?:\([^)\n]*\))?\s+)*?"
    long = re.compile(rf"^[ \t]*{words}({kinds})\b\s*`?([\w.]+|[^\w\s(`]+)?", re.M)
    short = re.compile(rf"^[ \t]*{words}(var|let)\s+(\w+)[^\n]*$", re.M)
    stack, found, last = [], [], 0
    for match in re.finditer(r"[{}]", text):
        if match.group() == "{":
            chunk = text[last : match.start()]
            names = list(long.finditer(chunk))
            line = chunk.rsplit("\n", 1)[-1]
            name = None
            if names:
                name = names[-1].group(2) if names[-1].group(1) not in ("init", "subscript") else names[-1].group(1)
            elif variable := short.match(line):
                name = variable.group(2)
            stack.append((match.start(), name))
        elif stack:
            start, name = stack.pop()
            found.append((start, match.start(), name))
        last = match.end()
    return sorted(found)


def matching(text, index):
    """The index of the bracket that closes the one at `index`; None if there is none."""
    stack = []
    for place in range(index, len(text)):
        character = text[place]
        if character in CLOSING:
            stack.append(CLOSING[character])
        elif character in OPENING:
            if not stack or stack.pop() != character:
                return None
            if not stack:
                return place
    return None


def left_operand(line, end, stops):
    """Where the operand that ends at `end` begins; None if it is not on this line."""
    place = end
    while place > 0:
        character = line[place - 1]
        if character in OPENING:
            depth = 0
            while place > 0:
                place -= 1
                depth += (line[place] in OPENING) - (line[place] in CLOSING)
                if depth == 0:
                    break
            else:
                return None
            if depth:
                return None
            continue
        # Not inside `==`.
        if re.search(stops, line[:place]) and line[place] != "=":
            break
        place -= 1
    while place < end and line[place] == " ":
        place += 1
    return place if place < end else None


def right_operand(line, start, stops):
    """Where the operand that begins at `start` ends; None if it is not on this line."""
    place = start
    while place < len(line):
        if line[place] in "([":
            closing = matching(line, place)
            if closing is None:
                return None
            place = closing + 1
            continue
        if re.match(stops, line[place:]):
            break
        place += 1
    return place if place > start else None


def candidates(text, mask):
    """Each (start, end, prefix, suffix, what) in a file."""
    lines = mask.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    for index, line in enumerate(lines):
        offset, stripped = starts[index], line.strip()
        if not stripped or stripped[0] in "#@":
            continue
        following = lines[index + 1].strip() if index + 1 < len(lines) else ""
        preceding = next((lines[i].strip() for i in range(index - 1, -1, -1) if lines[i].strip()), "")
        source = text[offset : offset + len(line)].strip()
        # A pattern is no expression.
        skipped = 0
        if re.match(r"\s*(case|default)\b", line):
            colon = re.search(r":(\s|$)", line)
            if not colon:
                continue
            skipped = colon.end()

        for match in re.finditer(r" (<=|>=|==|!=|<|>|&&|\|\|) ", line):
            operator = match.group(1)
            logical = r"|\|\|\s*$" if operator == "&&" else "" if operator == "||" else r"|(?:&&|\|\|)\s*$"
            ahead = r"|\s*(?:&&|\|\|)" if operator == "&&" else r"|\s*\|\|" if operator == "||" else r"|\s*(?:&&|\|\|)"
            start = left_operand(line, match.start(), LEFT_STOPS + logical)
            end = right_operand(line, match.end(), RIGHT_STOPS + ahead)
            if start is None or end is None or start < skipped:
                continue
            if end == len(line) and re.match(r"[.+\-*/?]|==|!=|<|>", following):
                continue
            left, right = text[offset + start : offset + match.start()], text[offset + match.end() : offset + end]
            changed, whole = f"{left} {SWAPPED[operator]} {right}", f"{left} {operator} {right}"
            yield offset + start, offset + end, "(", f" ? {changed} : {whole})", f"`{whole}` → `{changed}`"

        for match in re.finditer(r" \? ", line):
            start = left_operand(line, match.start(), LEFT_STOPS)
            if start is None or start < skipped:
                continue
            condition = text[offset + start : offset + match.start()]
            yield (
                offset + start, offset + match.start(), "(", f" != ({condition}))", f"`{condition} ?` negated"
            )

        for match in re.finditer(r"\b(true|false)\b", line):
            if match.start() >= skipped:
                value = match.group()
                other = "false" if value == "true" else "true"
                yield (
                    offset + match.start(), offset + match.end(), "!" if value == "true" else "", "",
                    f"`{value}` → `{other}` in `{source}`",
                )

        for match in re.finditer(r"(?<![\w.$])\d[\d_]*(?![\w.]|_)", line):
            if match.start() >= skipped:
                number = match.group()
                yield (
                    offset + match.start(), offset + match.end(), "(", f" ? {number} + 1 : {number})",
                    f"`{number}` → `{number} + 1` in `{source}`",
                )

        statement = r"(?:(?:try|await|unsafe|_ =) )*(?!" + NOT_CALLED + r")[A-Za-z_][\w.!?\[\]$]*(?:\(.*\)|\[.*\]|) ?(?:[-+|&*]?= .*|(?<=\)) ?)$"
        if (
            re.match(statement, stripped) or re.fullmatch(r"return|break|continue", stripped)
        ) and balanced(stripped) and preceding[-1:] not in ("(", "[", ",", "=", "?", ":", "+", "") and not re.match(
            r"[.?:+)\],&|]", following
        ):
            begin = offset + len(line) - len(line.lstrip())
            yield begin, begin + len(stripped), "if !", f" {{ {source} }}", f"without `{source}`"

    for match in re.finditer(r"(?<![#\w.])(if|guard|while)\s", mask):
        if match.group(1) == "while" and mask[: match.start()].rstrip().endswith("}"):
            continue
        begin, place = match.end(), match.end()
        while place < len(mask):
            if mask[place] in "([":
                closing = matching(mask, place)
                if closing is None:
                    break
                place = closing + 1
                continue
            ends = mask[place] in "{}" or (match.group(1) == "guard" and re.match(r"\selse\b", mask[place:]))
            if mask[place] == "," or ends:
                clause = mask[begin:place]
                words = re.match(r"\s*(?:(?:try|await|unsafe) )*", clause).end()
                if not re.match(r"(let|var|case)\b|#", clause[words:]) and mask[place] != "}":
                    condition = text[begin + words : place].rstrip()
                    if condition:
                        yield (
                            begin + words, begin + words + len(condition), "(", f" != ({condition}))",
                            f"`{' '.join(condition.split())}` negated",
                        )
                begin = place + 1
            if ends:
                break
            place += 1


def balanced(text):
    stack = []
    for character in text:
        if character in CLOSING:
            stack.append(CLOSING[character])
        elif character in OPENING and (not stack or stack.pop() != character):
            return False
    return not stack


def sites(module, file, text):
    """The sites of a file. Their identity is their text and function, so it outlasts changes elsewhere in the file."""
    mask = masked(text)
    blocks = functions(mask)
    seen = {}
    for start, end, prefix, suffix, what in candidates(text, mask):
        names = [name for opening, closing, name in blocks if name and opening < start < closing]
        # An initializer cannot leave out what it sets.
        if names[-1:] == ["init"] and what.startswith("without") and " = " in what:
            continue
        function = ".".join(names)
        key = f"{file}\n{function}\n{what}"
        seen[key] = seen.get(key, 0) + 1
        identity = hashlib.sha1(f"{key}\n{seen[key]}".encode()).hexdigest()[:7]
        lines = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
        yield Site(identity, module, file, function, *lines, what, start, end, prefix, suffix)


def mutate(text, chosen):
    """The text with each of the chosen sites rewritten; they must not overlap."""
    for site in sorted(chosen, key=lambda site: -site.start):
        text = text[: site.start] + site.rewritten() + text[site.end :]
    return text

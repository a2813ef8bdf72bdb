"""Types a line and Tab in an interactive shell on a pseudo-terminal, prints the line that the shell then has, and runs it.

usage: tab.py SHELL START LINE

START is a file that the shell sources first, such as a completion script. The shell runs in the current folder, with the
current PATH. Control-G writes the line: it is sent until that happens, since no shell says when it is ready.
"""

import os
import pty
import select
import sys
import tempfile
import time

PROMPT = b"READY> "
LIMIT = 60

shell, start, line = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3]
home = tempfile.mkdtemp()
shown = os.path.join(home, "lines")
STARTS = {
    "bash": f"PS1='READY> '\nset +H\nsource '{start}'\nshow() {{ printf '%s\\n' \"$READLINE_LINE\" >>'{shown}'; }}\nbind -x '\"\\C-g\": show'\n",
    "zsh": f"PS1='READY> '\nautoload -Uz compinit\ncompinit -u -D\nsource '{start}'\nshow() {{ print -r -- \"$BUFFER\" >>'{shown}' }}\nzle -N show\nbindkey '^G' show\n",
    "fish": f"function fish_prompt; printf 'READY> '; end\nfunction fish_right_prompt; end\nset fish_greeting\nset fish_autosuggestion_enabled 0\nsource '{start}'\nbind \\cg 'commandline >>{shown}'\n",
}
files = {"bash": "start", "zsh": ".zshrc", "fish": "fish/config.fish"}
file = os.path.join(home, files[shell])
os.makedirs(os.path.dirname(file), exist_ok=True)
with open(file, "w") as text:
    text.write(STARTS[shell])
words = {"bash": ["bash", "--noprofile", "--rcfile", file, "-i"], "zsh": ["zsh", "-d", "-i"], "fish": ["fish", "--private"]}[shell]
environment = {"PATH": os.environ["PATH"], "HOME": home, "ZDOTDIR": home, "XDG_CONFIG_HOME": home, "TERM": "dumb" if shell != "fish" else "xterm", "LANG": "C.UTF-8"}
environment.update({key: value for key, value in os.environ.items() if key in ("ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD")})

process, terminal = pty.fork()
if process == 0:
    os.execvpe(words[0], words, environment)

seen = b""


def until(isReached, what, keys=b""):
    """Reads what the shell prints until a state; sends keys again and again."""
    global seen
    end = time.monotonic() + LIMIT
    while not isReached():
        if time.monotonic() > end:
            sys.exit(f"{shell}: not {what}: {seen[-2000:]!r}")
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                sys.exit(f"{shell} has ended: {seen[-2000:]!r}")
        elif keys:
            os.write(terminal, keys)


def lines():
    try:
        with open(shown) as text:
            return text.read().split("\n")[:-1]
    except FileNotFoundError:
        return []


until(lambda: PROMPT in seen, "ready")
os.write(terminal, line.encode() + b"\t")
until(lambda: any(lines()), "completed", b"\x07")
print(next(filter(None, lines())))
sys.stdout.flush()
# What Tab has put on the line must be as harmless once it is run.
os.write(terminal, b"\r")
until(lambda: lines()[-1:] == [""], "at the next line", b"\x07")
os.kill(process, 9)

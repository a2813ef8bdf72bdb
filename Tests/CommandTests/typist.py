"""Runs a command on a pseudo-terminal and types, each answer once its prompt is shown; prints all that the terminal showed.

usage: typist.py SETTINGS COMMAND…

SETTINGS is JSON: "ahead" is typed before the command starts, and "answers" are pairs of a prompt's end and what is typed after
it. The status is that of the command, 128 and the number of its signal if one ended it.
"""

import json
import os
import pty
import select
import sys
import time

LIMIT = 60

settings = json.loads(sys.argv[1])
ahead = settings.get("ahead", "").encode()
answers = [(prompt.encode(), answer.encode()) for prompt, answer in settings.get("answers", [])]
wait, go = os.pipe()
process, terminal = pty.fork()
if process == 0:
    os.close(go)
    os.read(wait, 1)
    os.close(wait)
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
since = b""
end = time.monotonic() + LIMIT


def read():
    """Takes what is shown; false at its end."""
    global shown, since
    if time.monotonic() > end:
        os.kill(process, 9)
        sys.exit(f"after {LIMIT} s: {shown!r}")
    if select.select([terminal], [], [], 1)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return False
        shown += piece
        since += piece
        return bool(piece)
    return True


if ahead:
    os.write(terminal, ahead)
    # The terminal has the keys once it shows them.
    while since.count(b"\n") < ahead.count(b"\n"):
        read()
    shown = since = b""
os.write(go, b"x")
while read():
    if answers and since.endswith(answers[0][0]):
        since = b""
        os.write(terminal, answers.pop(0)[1])
_, status = os.waitpid(process, 0)
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))

"""Starts the program under test: BOARD is the path of rigready-web, as Scripts/test-web builds it."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BOARD", str(ROOT / ".build-web/debug/rigready-web"))
PATIENCE = 120


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Board:
    """A running board, and its address."""

    def __init__(self, *words, host="127.0.0.1", port=None, folder, mocked=None):
        self.port = port or free_port()
        self.host = host
        listen = f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"
        self.log = open(Path(folder) / f"log-{self.port}", "w+")
        # On a machine of mocked sensors, if their names are given.
        machine = ["umockdev-wrapper", "/usr/bin/python3", ROOT / "Tests/Web/rig.py", ",".join(mocked)] if mocked is not None else []
        self.process = subprocess.Popen(
            [*machine, PROGRAM, "--listen", listen, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.log, text=True, env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
        self.mocked = mocked is not None
        # The address is printed once it can be opened.
        self.link = self.process.stdout.readline().strip()
        self.secure = self.link.startswith("https")
        token = re.search(r"token=([0-9a-f]+)", self.link)
        self.token = token.group(1) if token else None

    def complaints(self):
        self.log.seek(0)
        return self.log.read()

    def connection(self):
        if self.secure:
            context = ssl._create_unverified_context()
            return http.client.HTTPSConnection(self.host, self.port, timeout=PATIENCE, context=context)
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)

    def ask(self, path="/", method="GET", headers=None, body=None):
        connection = self.connection()
        try:
            connection.request(method, path, headers=headers or {}, body=body)
            answer = connection.getresponse()
            answer.text = answer.read().decode()
            return answer
        finally:
            connection.close()

    def raw(self, request, wait=True):
        """Sends bytes, and returns all that comes until the connection ends."""
        link = socket.create_connection((self.host, self.port), timeout=PATIENCE)
        link.sendall(request)
        if not wait:
            return link
        answer = b""
        try:
            while piece := link.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        link.close()
        return answer

    def events(self, headers=None, path="/events"):
        return Events(self, headers or {}, path)

    def change(self, words):
        """Changes the mocked machine, see rig.py."""
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    @property
    def pid(self):
        if not self.mocked:
            return self.process.pid
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout
        return int(found.split()[0])

    def wakes(self):
        """How often its threads have waited for something, and how often it has read."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        waits = sum(int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text()).group(1))
                    for task in tasks)
        reads = int(re.search(r"syscr: (\d+)", Path(f"/proc/{self.pid}/io").read_text()).group(1))
        return waits, reads

    def work(self):
        """The seconds of a processor that it has used."""
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """The resident memory in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def end(self):
        if self.mocked:
            self.process.stdin.close()
        elif self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self.log.close()
        return status


class Events:
    """A reader of server-sent events."""

    def __init__(self, board, headers, path):
        self.connection = board.connection()
        self.connection.request("GET", path, headers=headers)
        self.answer = self.connection.getresponse()

    def next(self, name=None):
        """The next event, of a name if one is given: its fields, the data as one text."""
        fields, data = {}, []
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            if line == "" and (fields or data):
                event = {**fields, "data": "\n".join(data)}
                fields, data = {}, []
                if "event" in event and name in (None, event["event"]):
                    return event
            elif line.startswith("data: "):
                data.append(line[6:])
            elif ": " in line and not line.startswith(":"):
                key, _, value = line.partition(": ")
                fields[key] = value

    def close(self):
        self.connection.close()


def eventually(what, condition, seconds=PATIENCE):
    """Waits for a state; the limit is for a program that never reaches it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"{what}: not within {seconds} s")


def look(folder, page, until, width=1280, screenshot=None, seconds=60):
    """What a person meets on a page in headless Chromium once an expression holds in it: see browser.py."""
    wish = {"page": page, "width": width, "scheme": "light", "until": until, "seconds": seconds}
    if screenshot:
        wish["screenshot"] = str(screenshot)
    run = subprocess.run(
        ["/usr/bin/python3", ROOT / "Tests/CommandTests/browser.py", shutil.which("chromium"), Path(folder) / "profile", ""],
        input=json.dumps([wish]), capture_output=True, text=True, timeout=PATIENCE + seconds)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)[0]


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def start(folder):
    boards = []

    def begin(*words, **options):
        board = Board(*words, folder=folder, **options)
        boards.append(board)
        return board

    yield begin
    for board in boards:
        board.end()


@pytest.fixture
def board(start):
    return start("--rig", "demo")

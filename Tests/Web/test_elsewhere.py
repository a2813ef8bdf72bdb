"""The board with what stands around it: Cockpit itself, a scanner of QR codes, and a real gpsd's sky in a browser."""

import json
import os
import pty
import re
import shutil
import socket
import subprocess
import threading
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest
from conftest import PROGRAM, ROOT, eventually, free_port, look

COCKPIT = "/usr/lib/cockpit/cockpit-ws"
VERDICTS = "document.querySelectorAll('main th').length > 12"


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"needs {program}")


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def socket_file():
    """The socket of the service, which Cockpit's page asks."""
    place = Path("/run/rigready-web")
    if os.geteuid() != 0 or place.exists():
        pytest.skip("needs root, and no running service")
    place.mkdir()
    yield place / "socket"
    shutil.rmtree(place)


@pytest.fixture
def cockpit(folder):
    """The address of Cockpit's own server, whose user has the page of the package."""
    needs(COCKPIT, "cockpit-bridge", "chromium")
    # The page asks the service's own port.
    if listens(8710):
        pytest.skip("another program has port 8710")
    package = folder / "cockpit/rigready"
    shutil.copytree(ROOT / "Scripts/installation/cockpit", package)
    for file in ("board.css", "board.js"):
        shutil.copy(ROOT / "Sources/rigready-web/Board/Files" / file, package)
    # Cockpit shows the page where the program is installed.
    manifest = json.loads((package / "manifest.json").read_text())
    manifest["conditions"] = [{"path-exists": PROGRAM}]
    (package / "manifest.json").write_text(json.dumps(manifest))
    port = free_port()
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    server = subprocess.Popen(
        [COCKPIT, "--address=127.0.0.1", f"--port={port}", "--local-session=cockpit-bridge"], env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually("Cockpit listens", lambda: listens(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


PAGE = "/cockpit/@localhost/rigready/index.html"


def test_the_page_in_cockpit_itself(start, folder, cockpit):
    start("--rig", "field-kit", port=8710)
    seen = look(folder, cockpit + PAGE, VERDICTS, screenshot=folder / "cockpit.png")
    assert "Impact detection" in seen["text"] or "impact detection" in seen["text"]
    assert seen["overflow"] <= 0
    menu = look(folder, cockpit + "/", "document.body.innerText.includes('Rig readiness')")
    assert "Rig readiness" in menu["text"]


def test_the_page_in_cockpit_beside_a_secret(start, folder, cockpit, socket_file):
    start("--rig", "field-kit", "--token-file", str(folder / "token"), "--socket", str(socket_file), port=8710)
    assert "This page follows the rig." in look(folder, cockpit + PAGE, VERDICTS)["text"]


def test_the_page_in_cockpit_says_what_it_lacks(start, folder, cockpit):
    start("--rig", "field-kit", "--token-file", str(folder / "token"), port=8710)
    seen = look(folder, cockpit + PAGE, "document.getElementById('connection').innerText.includes('asks for a secret')")
    assert "--socket /run/rigready-web/socket" in seen["text"] and "follows the rig" not in seen["text"]


def test_the_page_in_cockpit_without_a_board(folder, cockpit):
    seen = look(folder, cockpit + PAGE, "document.getElementById('connection').innerText.includes('does not answer')")
    assert "systemctl start rigready-web" in seen["text"]


def test_the_qr_code_is_scanned(folder):
    needs("zbarimg")
    controller, terminal = pty.openpty()
    port = free_port()
    process = subprocess.Popen(
        [PROGRAM, "--rig", "demo", "--listen", f"0.0.0.0:{port}"], stdin=subprocess.DEVNULL, stdout=terminal,
        stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
    os.close(terminal)
    shown = b""
    try:
        while b"See --certificate" not in shown:
            shown += os.read(controller, 65536)
    finally:
        process.terminate()
        process.wait()
        os.close(controller)
    lines = shown.decode().replace("\r", "").split("\n")
    rows = [match.group(1) for line in lines if (match := re.match("\x1b\\[30;107m(.*)\x1b\\[0m$", line))]
    assert rows
    # Each character is two cells, one above the other; eight pixels a cell.
    cells = []
    for row in rows:
        cells.append([cell in "█▀" for cell in row])
        cells.append([cell in "█▄" for cell in row])
    pixels = b"".join(bytes(0 if cell else 255 for cell in row for _ in range(8)) * 8 for row in cells)
    (folder / "code.pgm").write_bytes(f"P5 {len(cells[0]) * 8} {len(cells) * 8} 255\n".encode() + pixels)
    found = subprocess.run(["zbarimg", "-q", "--raw", folder / "code.pgm"], capture_output=True, text=True)
    assert found.stdout.strip() == next(line for line in lines if line.startswith("http"))


def sentence(words):
    total = 0
    for byte in words.encode():
        total ^= byte
    return f"${words}*{total:02X}\r\n".encode()


def sky():
    """A second of a receiver with eight satellites in view, of which it uses four."""
    now = datetime.now(timezone.utc)
    clock, date = now.strftime("%H%M%S.00"), now.strftime("%d%m%y")
    place = "5230.9876,N,01322.5432,E"
    return b"".join(map(sentence, (
        f"GPRMC,{clock},A,{place},0.02,31.66,{date},,,A", f"GPGGA,{clock},{place},1,04,1.01,34.5,M,43.1,M,,",
        "GPGSA,A,3,02,12,24,25,,,,,,,,,1.83,1.01,1.52",
        "GPGSV,2,1,08,01,40,083,16,02,17,308,41,12,07,344,39,14,22,228,15",
        "GPGSV,2,2,08,15,51,132,14,18,31,061,12,24,62,277,47,25,11,019,38")))


def test_the_sky_of_a_real_gpsd(start, folder):
    needs("gpsd", "chromium")
    controller, terminal = pty.openpty()
    port, ended = free_port(), threading.Event()

    def send():
        while not ended.is_set():
            os.write(controller, sky())
            time.sleep(1)

    receiver = threading.Thread(target=send, daemon=True)
    receiver.start()
    daemon = subprocess.Popen(["gpsd", "-n", "-N", "-S", str(port), os.ttyname(terminal)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually("gpsd listens", lambda: listens(port))
        board = start("--gpsd", f"127.0.0.1:{port}")
        events = board.events()
        found = {}
        while len(found) < 8:
            for receiver_sky in json.loads(events.next("signal")["data"])["sky"]:
                found.update({one["number"]: one for one in receiver_sky["satellites"]})
        events.close()
        assert found[24]["used"] and found[24]["signal"] == 47 and found[24]["elevation"] == 62
        assert not found[1]["used"] and found[1]["signal"] == 16 and found[1]["azimuth"] == 83
        drawn = "document.querySelector('#signals canvas[aria-label*=\"8 seen, 4 used\"]') !== null"
        seen = look(folder, board.link, drawn, screenshot=folder / "sky.png")
        assert seen["overflow"] <= 0
        if kept := os.environ.get("SCREENSHOTS"):
            shutil.copy(folder / "sky.png", kept)
    finally:
        ended.set()
        daemon.terminate()
        daemon.wait()
        os.close(controller)
        os.close(terminal)

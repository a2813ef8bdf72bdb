"""The page in a browser here, while real drivers come and go in the virtual machine of Tests/Hardware. It takes three minutes and a built
release; MACHINE=1 runs it."""

import os
import socket
import subprocess

import pytest
from conftest import PROGRAM, ROOT, eventually, free_port, look

if not os.environ.get("MACHINE"):
    pytest.skip("MACHINE=1 runs it", allow_module_level=True)

# The states of hub and controller, each once it differs from the last one.
FOLLOW = """(() => {
    const rows = [...document.querySelectorAll('main tr')].map((row) => row.innerText);
    const hub = rows.some((row) => row.includes('accel_3d')) ? 'hub' : 'no hub';
    const controller = rows.find((row) => row.startsWith('controller'));
    const state = `${hub}, ${!controller ? 'no controller' : controller.includes('off') ? 'off' : 'on'}`;
    window.states = window.states ?? [];
    if (window.states.at(-1) !== state) window.states.push(state);
    document.title = window.states.join('; ');
    return state === 'no hub, no controller'
        && ['hub, no controller', 'no hub, on', 'no hub, off'].every((one) => window.states.includes(one));
})()"""


def test_the_page_follows_real_drivers(folder):
    port, token = free_port(), os.urandom(32).hex()
    release = ROOT / ".build/release/rigready"
    log = open(folder / "boot.log", "w+")
    machine = subprocess.Popen(
        [ROOT / "Tests/Hardware/boot", "--binary", release, "--program", PROGRAM, "--results", folder / "results",
         "--scenarios", "79-web-page.sh", "--machines", "1", "--timeout", "400", "--forward", str(port),
         "--set", f"BOARD_TOKEN={token}"], stdout=log, stderr=log)
    try:
        def answers():
            assert machine.poll() is None, (folder / "boot.log").read_text()
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=5) as probe:
                    probe.settimeout(5)
                    probe.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return probe.recv(4) == b"HTTP"
            except OSError:
                return False

        eventually("the board in the machine answers", answers)
        page = f"http://127.0.0.1:{port}/?token={token}"
        look(folder, page, FOLLOW, seconds=150)
        assert machine.wait(120) == 0, (folder / "boot.log").read_text()
    finally:
        machine.terminate()
        machine.wait()
        log.close()

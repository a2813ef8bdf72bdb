"""The board in the virtual machine of Tests/Hardware, while real drivers come and go there: its page in a browser here, and how long a change
takes to reach a reader there. Each takes some minutes and built releases; MACHINE=1 runs them."""

import os
import re
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


def rows(file):
    """The time in milliseconds, and the words after it."""
    lines = (line.split(" ", 1) for line in file.read_text(errors="replace").splitlines())
    return [(int(words[0]) / 1e6, words[1]) for words in lines if len(words) == 2 and words[0].isdigit()]


def pages(file):
    """When each page was complete at the reader, and whether it shows the chip."""
    shown, page = [], None
    for time, words in rows(file):
        if words == "event: report":
            page = []
        elif page is not None:
            page.append(words)
            if words == "data: </main>":
                shown.append((time, "bmi160" in "\n".join(page).split("Last changes")[0]))
                page = None
    return shown


def test_a_chip_that_comes_or_goes_changes_the_page(folder):
    """WEB_PLUGS=60 measures it; the time between two changes is not part of it."""
    plugs, results = int(os.environ.get("WEB_PLUGS", 60)), folder / "results"
    run = subprocess.run(
        [ROOT / "Tests/Hardware/boot", "--binary", ROOT / ".build/release/rigready", "--program", PROGRAM, "--results", results, "--scenarios",
         "79-web-latency.sh", "--machines", "1", "--timeout", str(120 + 12 * plugs), "--set", f"WEB_PLUGS={plugs}", "--set",
         f"SCENARIO_SECONDS={90 + 12 * plugs}"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    shown = pages(results / "web-latency-lines.txt")
    for source in ("kernel", "udev"):
        events = [(time, words.startswith("add")) for time, words in rows(results / f"web-latency-{source}.txt")
                  if re.fullmatch(r"(add|remove) \S+/iio:device\d+", words)]
        assert [is_there for _, is_there in events] == [True, False] * plugs
        taken = []
        for (begin, is_there), after in zip(events, [time for time, _ in events[1:]] + [float("inf")]):
            page = next(time for time, shows in shown if time > begin and shows == is_there)
            # Each change is on the page before the next one is made.
            assert page < after
            taken.append(page - begin)
        taken.sort()
        print(f"from the event of {source} to the page: p50 {taken[len(taken) // 2]:.1f} ms, p99 {taken[-(len(taken) // 100) - 1]:.1f} ms, "
              f"most {taken[-1]:.1f} ms of {len(taken)}")

"""The board's package: Debian's checks of it, and a bare Debian that installs, runs and removes it. They need the releases of both programs:
Scripts/test-web --release."""

import json
import os
import re
import shutil
import subprocess

import pytest
from conftest import PROGRAM, ROOT, eventually
from debian import Debian, control_groups

MAIN = os.environ.get("RIGREADY_BINARY", str(ROOT / ".build/release/rigready"))
UNIT = "/lib/systemd/system/rigready-web.service"
SOCKET = "/run/rigready-web/socket"


def test_systemd_accepts_the_unit_as_valid_and_safe(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("needs systemd-analyze")
    unit = tmp_path / "rigready-web.service"
    unit.write_text((ROOT / "Systemd/rigready-web.service").read_text().replace("/usr/bin/rigready-web", PROGRAM))

    def analyze(*words):
        return subprocess.run(["systemd-analyze", *words, unit], capture_output=True, text=True)

    verified = analyze("verify", "--man=no")
    assert verified.returncode == 0 and verified.stderr == ""
    assert analyze("security", "--offline=true", "--threshold=17").returncode == 0
    # A limit that every unit passes would show nothing.
    assert analyze("security", "--offline=true", "--threshold=5").returncode != 0


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages of both programs, the board's last."""
    if "/debug/" in PROGRAM or not os.access(MAIN, os.X_OK):
        pytest.skip("needs the releases: Scripts/test-web --release")
    run = subprocess.run(
        [ROOT / "Scripts/package", "--web", "--binary", MAIN, "--web-binary", PROGRAM, "--output", tmp_path_factory.mktemp("packages")],
        capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    board, main = run.stdout.split()[-2:]
    return main, board


def test_lintian_has_nothing_to_say(packages, tmp_path):
    def opinion(package):
        return subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", package], capture_output=True, text=True)

    for package in packages:
        assert opinion(package).stdout == "" and opinion(package).returncode == 0, opinion(package).stdout
    # It would: without its copyright the package is refused.
    damaged = tmp_path / "damaged"
    subprocess.run(["dpkg-deb", "-R", packages[1], damaged], check=True)
    (damaged / "usr/share/doc/rigready-web/copyright").unlink()
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", damaged, tmp_path / "damaged.deb"], check=True, capture_output=True)
    assert opinion(tmp_path / "damaged.deb").returncode != 0


def test_the_program_runs_on_the_libraries_of_the_systems_that_rigs_have(packages):
    run = subprocess.run([ROOT / "Scripts/systems", "--web", "--binary", PROGRAM], capture_output=True, text=True)
    if run.returncode == 69:
        pytest.skip(f"needs Debian's mirror: {run.stderr}")
    assert run.returncode == 0, run.stdout + run.stderr
    for line in (r"Debian 12, 2\.36: runs", r"Debian 13, 2\.41: runs", r"Ubuntu 22\.04, 2\.35: loads.*", r"Yocto kirkstone, 2\.35: loads.*"):
        assert re.search(f"^{line}$", run.stdout, re.M), run.stdout


@pytest.fixture
def debian(folder):
    if os.geteuid() != 0 or control_groups() is None:
        pytest.skip("needs root, and version 2 of control groups")
    machine = Debian(folder)
    try:
        yield machine
    finally:
        machine.end()


def test_a_bare_debian_installs_runs_and_removes_it(packages, debian):
    main, board = packages
    log = debian.install(main)
    # It needs the program itself, of the same version.
    log += debian.install(board)
    assert "Setting up rigready-web" in log and not re.search("rror|arning|ailed|dpkg: ", log), log
    libraries = debian.run("ldd", "/usr/bin/rigready-web")
    assert "libc.so.6" in libraries and "not found" not in libraries
    checked = subprocess.run(
        [ROOT / "Scripts/installation/check-libraries", debian.root / "usr/bin/rigready-web"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert debian.run("systemd-analyze", "verify", "--man=no", UNIT) == ""
    exposure = debian.run("systemd-analyze", "security", "--offline=yes", "--threshold=17", UNIT)
    print(next(line for line in exposure.splitlines() if "Overall exposure" in line))

    # The main package's service reads an edited file again, in the same process, and says what is wrong with it.
    debian.run("systemctl", "enable", "--now", "rigready")
    watch = debian.run("systemctl", "show", "--property=MainPID", "--value", "rigready").strip()
    decisions = debian.root / "etc/rigready/policy.yaml"
    decisions.parent.mkdir()
    decisions.write_text("motion: perhaps\n")
    debian.run("systemctl", "reload", "rigready")
    eventually("the journal names the file", lambda: "policy.yaml" in debian.run("journalctl", "--no-pager", "--unit", "rigready"), 30)
    assert debian.run("systemctl", "show", "--property=MainPID", "--value", "rigready").strip() == watch
    shutil.rmtree(decisions.parent)
    debian.run("systemctl", "disable", "--now", "rigready")

    # Nothing starts by itself.
    assert debian.ask("systemctl", "is-enabled", "rigready-web").stdout == "disabled\n"
    assert debian.ask("systemctl", "is-active", "rigready-web").stdout == "inactive\n"
    address = "http://127.0.0.1:8710"
    assert debian.fetch(f"{address}/")[1] == 0
    debian.run("systemctl", "enable", "--now", "rigready-web")

    def serves():
        return debian.fetch(f"{address}/report.json")[1] == 200

    eventually("the service answers", serves, 30)
    page, status = debian.fetch(f"{address}/")
    assert status == 200 and "<main>" in page
    report = json.loads(debian.fetch(f"{address}/report.json")[0])
    assert report["schema"] == "rigready.report/1" and len(report["services"]) == 13
    assert debian.fetch(f"{address}/board.js")[1] == debian.fetch(f"{address}/metrics")[1] == 200
    process = debian.run("systemctl", "show", "--property=MainPID", "--value", "rigready-web").strip()
    status = dict(line.split(":", 1) for line in debian.run("cat", f"/proc/{process}/status").splitlines())
    assert status["Uid"].split()[0] == debian.run("id", "-u", "rigready").strip()
    assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0 and status["NoNewPrivs"].strip() == "1"

    # The files are read again by the same process.
    debian.run("systemctl", "reload", "rigready-web")
    assert debian.run("systemctl", "show", "--property=MainPID", "--value", "rigready-web").strip() == process and serves()

    # For other machines, as the manual has it: with a secret, and for Cockpit's page without.
    manual = (ROOT / "Documentation/board.md").read_text()
    example = re.search(r"# systemctl edit rigready-web\n((?:    .*\n)+)", manual).group(1)
    extra = debian.root / "etc/systemd/system/rigready-web.service.d"
    extra.mkdir()
    (extra / "override.conf").write_text(re.sub("^    ", "", example, flags=re.M))
    debian.run("systemctl", "daemon-reload")
    debian.run("systemctl", "restart", "rigready-web")
    eventually("the service asks for the secret", lambda: debian.fetch(f"{address}/")[1] == 401, 30)
    secret = debian.run("cat", "/var/lib/rigready-web/token").strip()
    assert debian.run("stat", "-c", "%a %U", "/var/lib/rigready-web/token") == "600 rigready\n"
    assert debian.fetch("-H", f"Authorization: Bearer {secret}", f"{address}/report.json")[1] == 200
    assert secret not in debian.run("journalctl", "--no-pager")

    def fetch_as(group):
        # As Cockpit's page does, for a user of that group; from its folder, since this machine's folders above it are root's.
        user = ["env", "-C", f"{debian.root}{os.path.dirname(SOCKET)}", "setpriv", "--reuid=4321", f"--regid={group}", "--clear-groups",
                "curl", "-s", "-w", "\n%{http_code}", "--unix-socket", "socket", "http://localhost/report.json"]
        done = subprocess.run(debian.enter(*user, root=False), capture_output=True, text=True)
        return done.returncode, done.stdout.rpartition("\n")[2]

    assert debian.run("stat", "-c", "%a %U %G", SOCKET) == "660 rigready iio\n"
    iio = debian.run("getent", "group", "iio").split(":")[2]
    assert fetch_as(iio) == (0, "200") and fetch_as("4321") == (7, "000")

    # One that is killed is started again, and its socket is replaced.
    debian.run("systemctl", "kill", "--signal=KILL", "rigready-web")
    eventually("it is there again", lambda: fetch_as(iio) == (0, "200"), 30)

    removal = debian.run("dpkg", "--remove", "rigready-web")
    assert not re.search("rror|arning|ailed|dpkg: ", removal), removal
    assert debian.ask("systemctl", "is-active", "rigready-web").stdout == "inactive\n"
    assert debian.fetch(f"{address}/")[1] == 0
    shutil.rmtree(extra)
    debian.run("dpkg", "--purge", "rigready-web")
    debian.run("systemctl", "daemon-reload")
    assert debian.files("rigready-web") == [] and not (debian.root / "usr/share/cockpit/rigready").exists()
    # The main package is untouched.
    assert debian.run("rigready", "--version")
    debian.run("dpkg", "--purge", "rigready")
    assert debian.files("rigready") == []

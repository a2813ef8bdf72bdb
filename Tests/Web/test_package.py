"""The unit of the board's package, and what systemd says of it."""

import shutil
import subprocess

import pytest
from conftest import PROGRAM, ROOT


def test_systemd_accepts_the_unit_as_valid_and_safe(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("needs systemd-analyze")
    unit = tmp_path / "rigready-web.service"
    unit.write_text((ROOT / "Systemd/rigready-web.service").read_text().replace("/usr/bin/rigready-web", PROGRAM))

    def analyze(*words):
        return subprocess.run(["systemd-analyze", *words, unit], capture_output=True, text=True)

    verified = analyze("verify", "--man=no")
    assert verified.returncode == 0 and verified.stderr == ""
    assert analyze("security", "--offline=true", "--threshold=20").returncode == 0
    # A limit that every unit passes would show nothing.
    assert analyze("security", "--offline=true", "--threshold=5").returncode != 0

"""What a shell completes: the words that the program gives, and those that bash puts on its line."""

import shutil
import subprocess

import pytest
from conftest import PROGRAM, ROOT

SERVICES = ["driving.distractionFreeDriving", "dfd", "impact"]


def completed(option, *words):
    """As the completion scripts ask."""
    line = ["rigready-web", *words]
    run = subprocess.run([PROGRAM, "---completion", "--", option, str(len(line) - 1), str(len(line[-1])), *line], capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == "", run.stderr
    return run.stdout.split("\n")


def test_services_are_completed_also_behind_others():
    assert set(SERVICES) <= set(completed("--service", "--service", ""))
    assert "dfd,impact" in completed("--service", "--service", "dfd,")


def test_sensors_are_completed_with_the_keys_of_the_rig():
    keys = completed("--sensor", "--rig", "demo", "--sensor", "")
    assert {"accelerometer=", "accelerometer=i2c-0/0-0069", "gyroscope=uhid/0003:1209:0001/HID-SENSOR-200076"} <= set(keys)
    assert {"accelerometer=", "locationReceiver="} <= set(completed("--sensor", "--rig", "/no/such/file", "--sensor", ""))


@pytest.mark.parametrize("shell, words", [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
def test_the_scripts_are_valid(shell, words, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"needs {shell}")
    script = subprocess.run([PROGRAM, "--generate-completion-script", shell], capture_output=True, text=True, check=True).stdout
    (tmp_path / "script").write_text(script)
    checked = subprocess.run([shell, *words, tmp_path / "script"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def bash(tmp_path, *line):
    """What bash offers for the last word of a line, with the script as the package installs it."""
    script = subprocess.run([PROGRAM, "--generate-completion-script", "bash"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "script").write_text(script)
    ask = f"""
        PATH={tmp_path}:$PATH
        . {tmp_path}/script
        function=$(complete -p rigready-web | sed 's/.* -F \\([^ ]*\\) .*/\\1/')
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${{#COMP_LINE}} COMP_TYPE=9
        $function rigready-web "${{@: -1}}" "${{@: -2:1}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    link = tmp_path / "rigready-web"
    link.unlink(missing_ok=True)
    link.symlink_to(PROGRAM)
    run = subprocess.run(["bash", "-c", ask, "bash", "rigready-web", *line], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def test_bash_offers_services_kinds_keys_and_rigs(tmp_path):
    assert "impact" in bash(tmp_path, "--service", "imp")
    assert all(word.startswith("imp") for word in bash(tmp_path, "--service", "imp"))
    assert "accelerometer=" in bash(tmp_path, "--rig", "demo", "--sensor", "acc")
    assert any("i2c-0/0-0069" in word for word in bash(tmp_path, "--rig", "demo", "--sensor", "acc"))
    assert "field-kit" in bash(tmp_path, "--rig", "fie")
    assert "--token-file" in bash(tmp_path, "--tok")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_name_of_a_file_is_completed_and_not_run(shell, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"needs {shell}")
    (tmp_path / "rigready-web").symlink_to(PROGRAM)
    script = subprocess.run([PROGRAM, "--generate-completion-script", shell], capture_output=True, text=True, check=True).stdout
    (tmp_path / "script").write_text(script)
    place = tmp_path / "place"
    place.mkdir()
    (place / "harmless.jsonl").touch()
    (place / "a$(touch PWNED)`touch PWNED`.jsonl").touch()

    def line(words):
        run = subprocess.run(
            ["/usr/bin/python3", ROOT / "Tests/CommandTests/tab.py", shell, tmp_path / "script", words],
            capture_output=True, text=True, cwd=place, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    # With --version what is then run ends.
    assert line("rigready-web --version --rig harm").endswith("harmless.jsonl")
    assert "PWNED" in line("rigready-web --version --rig a")
    assert not (place / "PWNED").exists()

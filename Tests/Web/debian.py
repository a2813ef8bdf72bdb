"""A bare Debian 12 with a systemd of its own, in which packages are installed: namespaces of this machine, without its hardware, its
network and its users. It needs root, and a kernel with version 2 of control groups."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from conftest import ROOT

# Its own mounts; the kernel's settings and devices are read-only, so that nothing of this machine is changed.
START = """
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 none "$root/sys/fs/cgroup"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for node in null zero full random urandom; do
    touch "$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir "$root/dev/pts" "$root/dev/shm"
ip link set lo up
exec setpriv --bounding-set=-sys_module,-sys_rawio,-sys_time,-mknod chroot "$root" \
    env -i PATH=/usr/sbin:/usr/bin container=test /usr/lib/systemd/systemd --unit=basic.target
"""


def control_groups():
    """The folder of control groups in which this process may make one; nil without version 2."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    roots = [Path(words[1]) for words in mounts if words[2] == "cgroup2"]
    own = [line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")]
    return roots[0] / own[0].lstrip("/") if roots and own else None


class Debian:
    def __init__(self, folder):
        image = subprocess.run([ROOT / "Tests/Hardware/build-image"], capture_output=True, text=True)
        if image.returncode:
            pytest.skip(f"no bare Debian: {image.stderr.strip().splitlines()[-1]}")
        self.root = Path(folder) / "debian"
        self.root.mkdir()
        subprocess.run(["tar", "-C", self.root, "-xf", Path(image.stdout.strip()) / "debian.tar"], check=True)
        self.group = control_groups() / f"rigready-test-{os.getpid()}"
        self.group.mkdir()
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--net", "--uts", "--ipc", "--cgroup", "--pid", "--fork", "--kill-child", "bash", "-euc", START, "start",
             self.root], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))
        end = time.monotonic() + 60
        while "active" not in self.ask("systemctl", "is-active", "basic.target").stdout.split():
            if time.monotonic() > end or self.process.poll() is not None:
                self.end()
                pytest.fail(f"the bare Debian does not start: {self.process.stdout.read()}")
            time.sleep(0.2)

    def enter(self, *words, root=True):
        """The words that run a program with its files, or with this machine's that see its network and its mounts."""
        first = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        target = ["nsenter", "--target", first[0] if first else "0", "--mount", "--net", "--pid", "--cgroup", "--uts", "--ipc"]
        inside = ["--root", "--wd=/", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        return [*target, *(inside if root else []), *map(str, words)]

    def ask(self, *words, **options):
        """Runs a program with its files."""
        return subprocess.run(self.enter(*words), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, **options)

    def run(self, *words):
        """The same for one that has to succeed: what it prints."""
        done = self.ask(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}{self.ask('journalctl', '--no-pager', '-n', '40').stdout}"
        return done.stdout + done.stderr

    def fetch(self, *words):
        """What this machine's curl fetches there, and its status."""
        done = subprocess.run(self.enter("curl", "-s", "--max-time", "20", "-w", "\n%{http_code}", *words, root=False), capture_output=True,
                              text=True, timeout=60)
        text, _, status = done.stdout.rpartition("\n")
        return text, int(status or 0)

    def install(self, package):
        shutil.copy(package, self.root / "root")
        return self.run("dpkg", "--install", f"/root/{Path(package).name}")

    def files(self, name):
        """The files whose path has a name."""
        found = self.run("find", "/", "-xdev", "-path", f"*{name}*", "-not", "-path", "/root/*").split()
        return sorted(path for path in found if not path.startswith("/var/log/journal"))

    def end(self):
        self.process.kill()
        self.process.wait()
        for _ in range(100):
            for folder, _, _ in os.walk(self.group, topdown=False):
                try:
                    os.rmdir(folder)
                except OSError:
                    time.sleep(0.1)
            if not self.group.exists():
                return

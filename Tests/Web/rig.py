"""A machine of mocked sensors, on which a program runs: umockdev-wrapper python3 rig.py FOLDER PROGRAM ARGUMENTS…

Each line of standard input changes it: `add NUMBER NAME`, `remove NUMBER`, `set NUMBER ATTRIBUTE VALUE`. A line of
standard error says when a change was made.
"""

import os
import subprocess
import sys

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

FOLDER = "/sys/devices/pci0000:00/0000:00:1f.4/i2c-1"
bed = UMockdev.Testbed.new()
devices = {}
# A device that is no sensor of ours, whose events have the devices listed again.
LIGHT = f"{FOLDER}/1-0039/iio:device99"
bed.add_from_string(
    f"P: {FOLDER[4:]}/1-0039\nE: SUBSYSTEM=i2c\n\nP: {LIGHT[4:]}\nN: iio:device99\nE: DEVNAME=/dev/iio:device99\n"
    "E: SUBSYSTEM=iio\nE: DEVTYPE=iio_device\nA: name=light\\n\nA: in_illuminance_raw=5\\n\n\n")


def add(number, name):
    chip = f"{FOLDER[4:]}/1-00{68 + int(number)}"
    values = "".join(
        f"A: {kind}_{axis}_raw={value}\\n\nA: {kind}_scale={scale}\\n\n" if axis == "x" else f"A: {kind}_{axis}_raw={value}\\n\n"
        for kind, scale, at_rest in [("in_accel", "0.000598", (120, -80, 16400)), ("in_anglvel", "0.001065", (3, -2, 1))]
        for axis, value in zip("xyz", at_rest))
    bed.add_from_string(
        f"P: {chip}\nE: SUBSYSTEM=i2c\nE: DRIVER=mock\n\n"
        f"P: {chip}/iio:device{number}\nN: iio:device{number}\nE: DEVNAME=/dev/iio:device{number}\nE: SUBSYSTEM=iio\n"
        f"E: DEVTYPE=iio_device\nA: name={name}\\n\nA: sampling_frequency=200\\n\n{values}\n")
    devices[number] = f"/sys{chip}/iio:device{number}"


for number, name in enumerate(sys.argv[1].split(",") if sys.argv[1] else []):
    add(str(number), name)
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)
try:
    for line in sys.stdin:
        verb, number, *rest = line.rstrip("\n").split(" ", 3)
        if verb == "add":
            add(number, rest[0])
            bed.uevent(devices[number], "add")
        elif verb == "remove":
            bed.uevent(devices[number], "remove")
            bed.remove_device(devices[number])
            # The kernel tells of a device that is gone already; here it was still there, and may have been listed.
            bed.uevent(LIGHT, "change")
        else:
            attribute, value = rest[0], rest[1]
            bed.set_attribute(devices[number], attribute, value + "\n")
        print("changed:", line.rstrip(), file=sys.stderr, flush=True)
finally:
    child.terminate()
os._exit(child.wait())

#!/usr/bin/python3
"""Lists a rig's sensors as a Python script would without RigReady: check.py GPSD-PORT"""
import os
import sys

import gps

try:
    import iio
except ImportError:
    sys.exit(69)

for device in iio.LocalContext().devices:
    channels = [channel.id for channel in device.channels]
    for kind, prefix in (("accelerometer", "accel_"), ("gyroscope", "anglvel_"), ("step counter", "steps")):
        if any(channel.startswith(prefix) for channel in channels):
            print(f"{kind}: {device.name}")
    print(f"readable: {device.name}", os.access(f"/dev/{device.id}", os.R_OK))

if os.path.isdir("/sys/class/bluetooth"):
    import dbus

    objects = dbus.Interface(
        dbus.SystemBus().get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager"
    ).GetManagedObjects()
    for path, interfaces in objects.items():
        if "org.bluez.Adapter1" in interfaces:
            print(path, bool(interfaces["org.bluez.Adapter1"]["Powered"]))

session = gps.gps(host="127.0.0.1", port=sys.argv[1], mode=gps.WATCH_ENABLE)
for report in session:
    if report["class"] == "DEVICES":
        print([device["path"] for device in report["devices"]])
        break

#!/bin/sh
# Lists a rig's sensors as a shell script would without RigReady: check.sh GPSD-PORT
for device in /sys/bus/iio/devices/iio:device*; do
    [ -e "$device" ] || continue
    name=$(cat "$device/name")
    ls "$device" | grep -q '^in_accel_.*_raw$' && echo "accelerometer: $name"
    ls "$device" | grep -q '^in_anglvel_.*_raw$' && echo "gyroscope: $name"
    [ -e "$device/in_steps_input" ] && echo "step counter: $name"
    [ -r "/dev/$(basename "$device")" ] && echo "readable: $name"
done
for controller in /sys/class/bluetooth/hci*; do
    [ -e "$controller" ] || continue
    hciconfig "$(basename "$controller")" | grep -q UP && echo "powered on: $(basename "$controller")"
done
gpspipe -w -n 3 "127.0.0.1:$1" | grep '"class":"DEVICES"'
exit 0

# The rig embedded in the program as `prototype-board`: a hub that delivers no sample, nodes that only root may open, a
# chip without driver, a receiver without gpsd.
person 1005 developer
with_sudo
block bmi160_i2c
fill_bmi160
new_chip bmi160 0x69
[ ! -e "$(client 0x69)/driver" ] || die "a driver is bound"
hub start accel gyro mute
controllers 1
bluetooth_daemon hci0
usb_receiver 3d
report_as 1005 prototype-board --timeout 3

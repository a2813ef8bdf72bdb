# The rig embedded in the program as `field-kit`: Bluetooth blocked by software, a receiver without a fix, no gyroscope.
person 1004 technician
with_sudo
install_rules
chip_lis3dh
controllers 1
bluetooth_daemon hci0
soft_block
usb_receiver none
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":1'
report_as 1004 field-kit --timeout 8
soft_unblock

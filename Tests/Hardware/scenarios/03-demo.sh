# The rig embedded in the program as `demo`: everything present, switched on, and an ordinary user.
person 1001 engineer
with_sudo
install_rules
chip_bmi160
chip_bma400
steps=$(echo "$(client 0x14)"/iio:device*/in_steps_en)      # a redirection expands no pattern
echo 1 > "$steps"
hub start accel gyro
controllers 1
bluetooth_daemon hci0
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
report_as 1001 demo --timeout 15

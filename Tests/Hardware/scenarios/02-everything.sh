# A full rig: six axes on i2c, a sensor hub, one controller, a USB receiver with a 3D fix, owned by gpsd.
chip_bmi160
hub start accel gyro
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
report everything --timeout 15
report everything-state --depth state --timeout 8
report everything-presence --depth presence --timeout 8
report everything-defaults

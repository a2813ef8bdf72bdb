# A sensor hub whose accelerometer has no driver, while its gyroscope has one.
block hid_sensor_accel_3d
hub start gyro also-accel
[ -d $HUB/HID-SENSOR-200073.* ] && [ ! -e $HUB/HID-SENSOR-200073.*/driver ] || die "the accelerometer has a driver"
report no-driver-hid --timeout 8

# An accelerometer alone.
chip_lis3dh
report no-gyroscope --timeout 8

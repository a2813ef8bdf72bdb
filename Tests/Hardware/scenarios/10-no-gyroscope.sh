# Only an accelerometer.
chip_lis3dh
report no-gyroscope --timeout 8

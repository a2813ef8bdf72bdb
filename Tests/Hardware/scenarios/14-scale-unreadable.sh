# The axes can be read, but not the accelerometer's scale (EINVAL).
chip_bmi160 0x00
cat "$(client 0x69)"/iio:device*/in_accel_scale && die "the scale can be read"
report scale-unreadable --timeout 8

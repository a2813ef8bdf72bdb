# One chip that the kernel shows as two devices. The gyroscope's has no character device.
chip_lsm6ds3
report lsm6ds3 --timeout 8

# Six axes, read by polling only: without an interrupt line the driver makes no character device.
chip_mpu6050
report mpu6050 --timeout 8

# The same user, and a chip with no character device: its readable attributes decide.
chip_mpu6050
report_as 1001 unprivileged-no-node --timeout 8

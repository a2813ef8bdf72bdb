# The chips through iiod in the same machine; then one that was removed after iiod started, which iiod still lists.
chip_lis3dh
chip_mpu6050
iiod_start
report remote --iio ip:127.0.0.1 --timeout 10
remove_chip 0x68
wait_for 5 gone "$(client 0x68)" || die "the chip is still there"
report remote-stale --iio ip:127.0.0.1 --timeout 10

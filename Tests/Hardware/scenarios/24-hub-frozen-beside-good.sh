# A hub that does not answer and a chip that does: the good sensor must not be affected.
chip_bmi160
hub start accel gyro
hub freeze
report hub-frozen-beside-good --timeout 3
hub thaw

# A hub that does not answer beside a chip that does: the good sensor must not suffer.
chip_bmi160
hub start accel gyro
hub freeze
report hub-frozen-beside-good --timeout 3
hub thaw

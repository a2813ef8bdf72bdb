# A hub that measures exact zero.
hub start accel gyro zero
report hub-zero --timeout 8

# A hub that says it is on and gives no sample: a read blocks for five seconds and then gives zero with success.
hub start accel gyro mute
report hub-mute --timeout 3

# A hub that reports that it is on and delivers no sample: a read blocks for five seconds and then returns zero with
# success.
hub start accel gyro mute
report hub-mute --timeout 3

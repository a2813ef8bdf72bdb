# A hub that streams nothing by itself but answers when asked.
hub start accel gyro quiet
report hub-quiet --timeout 8

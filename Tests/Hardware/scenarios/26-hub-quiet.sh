# A hub that does not stream but answers requests.
hub start accel gyro quiet
report hub-quiet --timeout 8

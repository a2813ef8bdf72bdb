# A hub that stops answering: a read blocks for ten seconds and then returns zero with success.
hub start accel gyro
hub freeze
report hub-frozen --timeout 3
hub thaw
report hub-thawed --timeout 8

# Another program captures from the hub's sensors. Its drivers still answer polled reads.
hub start accel gyro
capture accel_3d
capture gyro_3d
report hub-captured --timeout 8

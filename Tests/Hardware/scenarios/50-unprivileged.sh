# A user without access to the nodes: motion is denied while the sensors are available.
chip_bmi160
hub start accel gyro
report_as 1001 unprivileged --timeout 8
report_as 1001 unprivileged-state --depth state --timeout 8

# The product's own udev rules, for a user in the groups that they name and for one who is not.
install_rules
chip_bmi160
hub start accel gyro
ls -l /dev/iio:device*
report_as 1001 rules-group --timeout 8
GROUPS_OF_USER=
report_as 1002 rules-stranger --timeout 8

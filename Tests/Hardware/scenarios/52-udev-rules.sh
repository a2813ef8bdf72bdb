# The product's own udev rules: before them, with them, for a user in their group and for one who is not, and after them.
person 1001 tester
chip_bmi160
hub start accel gyro
report_as 1001 rules-before --timeout 8
install_rules
udevadm trigger --action=change --subsystem-match=iio
settle
ls -l /dev/iio:device*
report_as 1001 rules-group --timeout 8
WRAPPER="/usr/bin/setpriv --reuid=1001 --regid=1001 --groups=1001,$GROUPS_OF_USER --inh-caps=-all --bounding-set=-all"
record rules-group --timeout 8
groups=$GROUPS_OF_USER
GROUPS_OF_USER=
report_as 1002 rules-stranger --timeout 8
# A sensor that is plugged in later gets them at once.
hub stop
hub start accel
GROUPS_OF_USER=$groups
report_as 1001 rules-plugged-in --timeout 8
# Without the rules, only root may open a sensor that is plugged in.
rm $RULES/*
reload_rules
hub stop
remove_chip 0x69
wait_for 5 gone "$(client 0x69)" || die "the chip is still there"
chip_bmi160
report_as 1001 rules-removed --timeout 8

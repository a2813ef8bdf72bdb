# The product's own udev rules, for a user in the groups that they name and for one who is not.
[ -n "$(ls /share/udev-rules)" ] || exit 0
number=900 GROUPS_OF_USER=
for group in $(sed -n 's/.*GROUP="\([^"]*\)".*/\1/p' /share/udev-rules/*.rules | sort -u); do
    grep -q "^$group:" /etc/group || { echo "$group:x:$number:" >> /etc/group; number=$((number + 1)); }
    GROUPS_OF_USER=${GROUPS_OF_USER:+$GROUPS_OF_USER,}$(sed -n "s/^$group:x:\([0-9]*\):.*/\1/p" /etc/group)
done
cp /share/udev-rules/*.rules /run/udev/rules.d/
udevadm control --reload
chip_bmi160
hub start accel gyro
ls -l /dev/iio:device*
report_as 1001 rules-group --timeout 8
GROUPS_OF_USER=
report_as 1002 rules-stranger --timeout 8

# Each reason for which a user may not capture, followed by its remedy, verbatim but without sudo.
person 1001 tester
member() { group_of iio "$@"; }
told() { report_as 1001 "denial-$1" --depth state --timeout 8; }
reload_all() { udevadm control --reload && udevadm trigger --action=change --subsystem-match=iio; settle; }
sed -i '/^iio:/d' /etc/group
chip_bmi160
node=$(echo /dev/iio:device*)
rule=70-rigready-iio.rules

told rule-not-installed
mkdir -p /etc/udev/rules.d
put_rules /share/udev-rules/$rule
told group-missing
member
: > /etc/udev/rules.d/$rule
told rule-masked
rm /etc/udev/rules.d/$rule
rmdir /etc/udev/rules.d
told not-triggered
udevadm control --reload && udevadm trigger --action=change "$node"
settle
told not-in-group
member tester
told not-in-session
GROUPS_OF_USER=$GROUP_NUMBER
told mended
setfacl -m u:1001:--- "$node"
told excluded
setfacl -b "$node"
chgrp 0 "$node"
chmod 600 "$node"
told undone
reload_all
told undone-mended

# A rule that is overwritten in place: udev does not notice it, and the device is added while udev has the old one.
remove_chip 0x69
wait_for 5 gone "$(client 0x69)" || die "the chip is still there"
echo '# nothing' > $RULES/$rule
reload_rules
cat /share/udev-rules/$rule > $RULES/$rule
chip_bmi160
told not-reloaded
reload_all
told not-reloaded-mended

# Another sensor shows that udev knows the rule; this one was added before it. This user may open neither.
GROUPS_OF_USER=
mv $RULES/$rule /run/bench/rule
reload_rules
chip_lis3dh
node=/dev/$(basename "$(client 0x19)"/iio:device*)
cp /run/bench/rule $RULES/$rule
told other-triggered
GROUPS_OF_USER=$GROUP_NUMBER
udevadm trigger --action=change "$node"
settle
told other-triggered-mended

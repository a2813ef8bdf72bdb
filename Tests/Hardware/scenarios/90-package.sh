# A new board: a bare Debian, the package, an ordinary user; then a newer package, and none.
chip_bmi160
chip_bma400
steps=$(echo "$(client 0x14)"/iio:device*/in_steps_en)      # a redirection expands no pattern
echo 1 > "$steps"
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
bluetooth_daemon
debian_start
log=/run/bench/package.txt
: > $log
# run COMMAND...: in the bare Debian, with its output
run() { echo "# $*" >> $log; inside "$@" >> $log 2>&1 || { cat $log; die "$* failed"; }; }

run useradd --create-home driver
inside id driver
uid=$(inside id -u driver)
# The system bus, which is this machine's, refuses users that it does not know.
person "$uid" driver
cp /share/rigready $DEBIAN/tmp/rigready
PROGRAM=/tmp/rigready report_inside "$uid" package-before --timeout 8

run dpkg --install /share/rigready-1.deb
PROGRAM=/usr/bin/rigready
report_inside "$uid" package-stranger --timeout 8
run usermod -aG iio driver
GROUPS_OF_USER=$uid
report_inside "$uid" package-old-session --timeout 8
GROUPS_OF_USER=
report_inside "$uid" package-installed --timeout 8
WRAPPER="chroot $DEBIAN /usr/bin/setpriv --reuid=$uid --regid=$uid --init-groups --inh-caps=-all --bounding-set=-all"
record package-installed --timeout 8
cp /run/bench/bus.log /host/results/package-bus.txt
$WRAPPER rigready --timeout 8 > /host/results/package-text.txt || wrong "the rig is not ready"
ls -l $DEBIAN/dev/iio/by-path > /host/results/package-links.txt

run dpkg --install /share/rigready-2.deb
report_inside "$uid" package-upgraded --timeout 8
run dpkg --remove rigready
PROGRAM=/tmp/rigready report_inside "$uid" package-removed --timeout 8
run dpkg --purge rigready
inside find /etc /usr /var -name '*rigready*' > /host/results/package-left.txt

# The same files without a package, as Scripts/install installs them, and the scripts' output and effects.
run dpkg-deb -x /share/rigready-1.deb /
run bash -c '. /share/Scripts/lib.sh; . Scripts/installation/installing.sh; tell_system users'
report_inside "$uid" package-script --timeout 8
run bash /share/Scripts/uninstall --prefix /usr
PROGRAM=/tmp/rigready report_inside "$uid" package-script-removed --timeout 8
cp $log /host/results/package.txt

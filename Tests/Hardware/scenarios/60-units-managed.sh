# Units of a real systemd, those that run and those that do not: each has a small program in its sandbox that opens the same nodes
# and sockets.
person 1005 driver
person 1006 stranger
chip_bmi160
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
bluetooth_daemon
group_of iio driver
virtual_motion
node=$(echo /dev/iio:device*)
input=$(virtual_node)
chgrp "$GROUP_NUMBER" "$node" "$input"
chmod 640 "$node" "$input"

printf '%s\n' '[Unit]' DefaultDependencies=no > /run/systemd/system/units.target
# unit NAME SETTING...: one that sleeps, one that is never started, and one that opens
unit() {
    local name=$1 kind command; shift
    names="$names $name"
    for kind in '' -idle -attempt; do
        command="/usr/bin/sleep 600"
        [ "$kind" != -attempt ] || command="/usr/bin/attempt $node $input"
        {
            printf '%s\n' '[Unit]' DefaultDependencies=no '[Service]' "ExecStart=$command" "$@"
            [ "$kind" != -attempt ] || printf '%s\n' Type=oneshot "StandardOutput=file:/run/bench/opened-$name.txt"
        } > "/run/systemd/system/$name$kind.service"
    done
    mkdir -p /run/systemd/system/units.target.wants
    ln -s "../$name.service" /run/systemd/system/units.target.wants/
}
names=
unit plain
unit member User=driver
unit stranger User=stranger
unit private PrivateDevices=yes
unit allowed DevicePolicy=closed "DeviceAllow=$node r"
unit closed DevicePolicy=closed
unit input-only DevicePolicy=closed "DeviceAllow=$input r"
unit no-capabilities CapabilityBoundingSet=
unit unix-only RestrictAddressFamilies=AF_UNIX
unit inet-only RestrictAddressFamilies=AF_INET
unit own-network PrivateNetwork=yes
unit no-bus TemporaryFileSystem=/run/dbus
unit stubborn PrivateDevices=no
for kind in '' -idle -attempt; do
    mkdir -p /run/systemd/system/stubborn$kind.service.d
    printf '%s\n' '[Service]' PrivateDevices=yes > /run/systemd/system/stubborn$kind.service.d/zz.conf
done

systemctl daemon-reload
systemctl start units.target || die "the units do not start"
# One after the other, since an IIO device can be opened once.
for name in $names; do
    systemctl start "$name-attempt.service" || die "$name opens nothing"
    cp "/run/bench/opened-$name.txt" "/host/results/unit-$name.txt"
    cp "/run/bench/opened-$name.txt" "/host/results/unit-$name-idle.txt"
done
systemctl list-units --all --no-legend > /run/bench/units-before.txt
ls -lR /run/systemd/system /dev/iio:device* > /run/bench/files-before.txt
for name in $names; do
    report "unit-$name" --as-unit "$name" --depth state --timeout 8
    report "unit-$name-idle" --as-unit "$name-idle.service" --depth state --timeout 8
done
LD_LIBRARY_PATH=/share/lib /share/rigready permissions --all-units --timeout 8 > /host/results/all-units.txt || wrong "no table of the units"
LD_LIBRARY_PATH=/share/lib /share/rigready permissions --all-units --format json --timeout 8 > /host/results/all-units-document.txt || wrong "no document of the units"
# Nothing is left of the units in which a process had the sandbox.
left() { ! systemctl list-units --all --no-legend | grep -q ' rigready-'; }
wait_for 10 left || wrong "a transient unit is left"
systemctl list-units --all --no-legend | diff /run/bench/units-before.txt - || wrong "the units have changed"
ls -lR /run/systemd/system /dev/iio:device* | diff /run/bench/files-before.txt - || wrong "files have changed"

# What fix writes helps, or is taken back.
fix() { LD_LIBRARY_PATH=/share/lib /share/rigready fix --yes --as-unit "$1" --service walking --depth state --timeout 8 > "/host/results/fix-$1.txt" 2>&1 || true; }
fix closed
report_alone unit-closed-fixed --as-unit closed --depth state --timeout 8
fix stubborn
ls -R /etc/systemd > /host/results/fix-files.txt
for name in $names; do systemctl stop "$name.service"; done
rm -rf /run/systemd/system/units.target* /etc/systemd/system

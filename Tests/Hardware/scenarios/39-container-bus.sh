# A container that is given bluetoothd's bus, and one that is not: power, rfkill, a daemon that hangs, none, no bus. Then one
# without sysfs, with the host's elsewhere, without udev's database and without the nodes.
chip_bmi160
controllers 1
bluetooth_daemon
apart() { echo "/usr/bin/unshare --net --mount --propagation private sh /run/bench/$1"; }
: > /run/.containerenv
echo 'exec "$@"' > /run/bench/plain
echo 'mount -t tmpfs none /sys && exec "$@"' > /run/bench/without-sysfs
echo 'mkdir -p /run/host/sys && mount --bind /sys /run/host/sys && mount -t tmpfs none /sys && exec "$@"' > /run/bench/elsewhere
echo 'mount -t tmpfs none /run/udev && exec "$@"' > /run/bench/without-udev
echo 'mount -t tmpfs none /sys && mount -t tmpfs none /dev && mknod /dev/null c 1 3 && exec "$@"' > /run/bench/blind
echo 'mount -t tmpfs none /dev && mknod /dev/null c 1 3 && exec "$@"' > /run/bench/without-nodes

WRAPPER=$(apart plain) report container-bus --timeout 4
WRAPPER=$(apart without-sysfs) report container-without-sysfs --timeout 4
WRAPPER=$(apart elsewhere) report container-sysfs-elsewhere --timeout 4 --sysfs /run/host/sys
WRAPPER=$(apart without-udev) report container-without-udev --timeout 4
WRAPPER=$(apart without-nodes) report container-without-nodes --timeout 4
# The bus knows the users of the host alone.
WRAPPER="$(apart plain) /usr/bin/setpriv --reuid=1001 --regid=1001 --clear-groups" report container-bus-known-user --timeout 4
WRAPPER="$(apart plain) /usr/bin/setpriv --reuid=65532 --regid=65532 --clear-groups" report container-bus-unknown-user --timeout 4
# containerd leaves no mark: what shows it is that its processes are not the host's.
rm /run/.containerenv
WRAPPER="/usr/bin/unshare --pid --fork --mount-proc --net sh /run/bench/without-udev" report container-unmarked --timeout 4
: > /run/.containerenv
soft_block
daemon_says false
WRAPPER=$(apart plain) report container-bus-blocked --timeout 4
WRAPPER=$(apart blind) report container-bus-blocked-unseen --timeout 4
soft_unblock
daemon_says true
power_off 0
daemon_says false
WRAPPER=$(apart plain) report container-bus-off --timeout 4
kill -STOP "$(pid bluetoothd)"
WRAPPER=$(apart plain) report container-bus-frozen --timeout 4
stop bluetoothd
WRAPPER=$(apart plain) report container-bus-no-daemon --timeout 4
stop bus
rm -f /run/dbus/system_bus_socket
WRAPPER=$(apart plain) report container-no-bus --timeout 4
rm /run/.containerenv

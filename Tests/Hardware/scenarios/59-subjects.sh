# What other processes may use, from root and from outside: each is a process in its own place, where a small program opens
# the same nodes and sockets.
person 1005 driver
chip_bmi160
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
bluetooth_daemon
group_of iio
virtual_motion
node=$(echo /dev/iio:device*)
input=$(virtual_node)
chgrp "$GROUP_NUMBER" "$node" "$input"
chmod 640 "$node" "$input"

plain="--inh-caps=-all --bounding-set=-all"
user="/usr/bin/setpriv --reuid=1005 --regid=1005 $plain"
# subject NAME COMMAND...: what a process that COMMAND starts may open, and what the program says of it from outside
subject() {
    local name=$1 before; shift
    "$@" /usr/bin/attempt "$node" "$input" > "/run/bench/case/subject-$name.txt" || die "subject $name cannot be started"
    before=$(rig_state)
    start "subject-$name" "$@" /usr/bin/busybox sleep 600
    wait_for 5 asleep "$(pid "subject-$name")" || die "subject $name does not sleep"
    report "subject-$name" --as-pid "$(pid "subject-$name")" --depth state --timeout 8
    [ "$(rig_state)" = "$before" ] || wrong "the evaluation of $name changed the rig"
    stop "subject-$name"
}
# What an evaluation must leave as it is: the nodes, the settings of the IIO device, the control groups and this shell's place.
rig_state() {
    ls -l "$node" "$input"
    cd /sys/bus/iio/devices/iio:device*
    grep -s . buffer*/enable buffer*/length scan_elements/*_en trigger/current_trigger *_sampling_frequency *_scale
    cd /
    cat /proc/self/cgroup /proc/self/attr/current
}
asleep() { [ "$(cat "/proc/$1/comm")" = busybox ] || [ "$(cat "/proc/$1/comm")" = sleep ]; }

subject root env
subject stranger $user --groups=1005
subject member $user --groups=1005,$GROUP_NUMBER
subject root-without-capabilities /usr/bin/setpriv $plain
all="-all,+dac_override"
subject reader /usr/bin/setpriv --reuid=1005 --regid=1005 --groups=1005 --inh-caps=$all --ambient-caps=$all --bounding-set=$all
group_of iio driver
subject earlier $user --groups=1005
group_of iio
subject without-nodes /usr/bin/unshare --mount sh -c 'mount -t tmpfs none /dev && exec "$@"' sh
subject without-network /usr/bin/unshare --net
subject own-users $user --groups=1005 /usr/bin/unshare --user --map-root-user
# A profile of AppArmor, which Debian's kernel enforces.
mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
grep -q Y /sys/module/apparmor/parameters/enabled || die "this kernel has no AppArmor"
echo "profile bench { capability, network, mount, umount, signal, ptrace, dbus, unix, file, change_profile, audit deny /dev/iio:* rwklx, deny /dev/input/** rwklx, }" |
    apparmor_parser --replace --skip-cache || die "the profile cannot be loaded"
subject apparmor /usr/bin/aa-exec -p bench --
echo -n bench > /sys/kernel/security/apparmor/.remove
if mkdir -p /run/devices && mount -t cgroup -o devices none /run/devices; then
    umount /run/devices
    mkdir -p /sys/fs/cgroup
    mount -t tmpfs none /sys/fs/cgroup
    mkdir -p /sys/fs/cgroup/devices
    mount -t cgroup -o devices none /sys/fs/cgroup/devices
    mkdir /sys/fs/cgroup/devices/closed
    echo a > /sys/fs/cgroup/devices/closed/devices.deny
    echo 'c 1:* rwm' > /sys/fs/cgroup/devices/closed/devices.allow
    subject without-device sh -c 'echo 0 > /sys/fs/cgroup/devices/closed/cgroup.procs && exec "$@"' sh
    rmdir /sys/fs/cgroup/devices/closed
    umount /sys/fs/cgroup/devices /sys/fs/cgroup
else
    die "this kernel has no controller of devices"
fi

# The service under a real systemd, with the unit as shipped: it does not need what it may not do.
report_file=/run/rigready/report.json
kept() { grep -q "$1" $report_file 2>/dev/null; }
install_rules
person 850 rigready
hub start accel gyro
controllers 1
receiver 3d
gpsd_start -n /run/gps
gpsd_says '"mode":3'
record service

# A system manager in its own namespace, as in a container; the hardware is this machine's.
mkdir -p /run/systemd/system /sys/fs/cgroup /usr/lib/systemd/system
grep -q " /sys/fs/cgroup " /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup
sed "s|/usr/bin/rigready|/share/rigready|; s|^\[Service\]|[Service]\nEnvironment=LD_LIBRARY_PATH=/share/lib|" /share/rigready.service \
    > /run/systemd/system/rigready.service
start manager /usr/bin/unshare --fork --kill-child --pid --mount --mount-proc --cgroup env container=bench \
    /usr/lib/systemd/systemd --unit=rigready.service --log-target=console --log-level=info --show-status=no
wait_for 30 test -s $report_file || { cat /run/bench/manager.log; wrong "the service keeps no report"; }
wait_for 20 kept '"verdict" : "runs"' || wrong "the service does not see the rig"
stat -c '%a %U %G' $report_file /run/rigready > /host/results/service-file.txt
for process in /proc/[0-9]*; do
    case $(tr '\0' ' ' < $process/cmdline 2>/dev/null) in
    # The process that reads, and not the one that waits for it, which is listed before it.
    */rigready\ *watch*) service=$process; cat $process/status > /host/results/service-status.txt ;;
    esac
done
[ -n "$service" ] || die "there is no service"

GROUPS_OF_USER=$(sed -n 's/^iio:x:\([0-9]*\):.*/\1/p' /etc/group) report_as 1001 service-cached --cached
# Only the group may read the file; a user who may not capture gets that reported by the same file.
person 1002 stranger
GROUPS_OF_USER= report_as 1002 service-cached-stranger --cached
[ ! -s /host/results/service-cached-stranger.json ] || wrong "a stranger reads the report"
rm /host/results/service-cached-stranger.json
GROUPS_OF_USER= report service-cached-as --cached --as stranger
report service-cached-root --cached
power_off 0
wait_for 20 kept 'poweredOff' || wrong "the service misses a controller that is switched off"
report service-after-change --cached

# The report of a stopped service is not used, nor that of a killed one, which restarts by itself.
kill -STOP "${service#/proc/}"
usleep 3000000
report service-stuck --cached --max-age 2
kill -CONT "${service#/proc/}"
kill -KILL "${service#/proc/}"
report service-killed --cached
cp $report_file /run/bench/case/left.json 2>/dev/null || true
again() { [ "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -c 'rigready watch')" != 0 ] && report_status 0; }
report_status() { LD_LIBRARY_PATH=/share/lib /share/rigready --cached --service walking >/dev/null 2>&1; [ $? = "$1" ]; }
wait_for 40 again || { cat /run/bench/manager.log; wrong "the service does not come back"; }
# Stopping it takes no time while the kernel holds the process that reads a suspended hub.
inside_manager() { /usr/bin/nsenter --target "$(pidof systemd)" --mount --pid --cgroup "$@"; }
cat $HUB/HID-SENSOR-20007?.*/iio:device*/in_*_x_raw >/dev/null
hub freeze
suspending() { grep -q suspending $HUB/HID-SENSOR-20007?.*/power/runtime_status; }
wait_for 10 suspending || die "the hub is not being suspended"
inside_manager systemctl restart --no-block rigready.service || die "systemctl does not work"
sleeps() { grep -q '^State:.D' $(grep -lx rigready /proc/[0-9]*/task/*/comm | sed 's/comm$/status/') 2>/dev/null; }
wait_for 15 sleeps || die "the service does not hang"
begin=$(uptime_ms)
inside_manager systemctl stop rigready.service || wrong "the service does not stop"
echo "$(( $(uptime_ms) - begin )) $(sleeps && echo blocked)" > /host/results/service-stop.txt
hub thaw
cp /run/bench/manager.log /host/results/service-log.txt
stop manager
# Nothing of it may keep running during the scenarios that follow.
manager_gone() { ! pidof systemd >/dev/null; }
wait_for 10 manager_gone || die "the system manager stays"
rm -rf /run/systemd /run/rigready

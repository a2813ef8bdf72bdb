# The package of an older version, then this one, then the older one again, under a system manager of the bare Debian: the
# service keeps running, and each version reads what the other has kept, or says that it does not.
chip_bmi160
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
debian_start
log=/run/bench/upgrade.txt
: > $log
run() { echo "# $*" >> $log; inside "$@" >> $log 2>&1 || { cat $log; die "$* failed"; }; }

# Only the units that the service needs: the machine's own ones are this machine's.
rm -rf $DEBIAN/usr/lib/systemd/system/*.wants $DEBIAN/etc/systemd/system/*.wants
mkdir -p /run/systemd/system /sys/fs/cgroup
grep -q " /sys/fs/cgroup " /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup
start manager /usr/bin/unshare --fork --kill-child --pid --mount --mount-proc=$DEBIAN/proc --cgroup chroot $DEBIAN \
    /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=bench \
    /lib/systemd/systemd --unit=basic.target --log-target=console --log-level=info --show-status=no
wait_for 20 pidof systemd || die "no system manager"
# managed COMMAND...: in the bare Debian, beside its system manager
managed() {
    /usr/bin/nsenter --target "$(pidof systemd)" --mount --pid --cgroup --root --wd=/ \
        /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
manages() { managed systemctl is-active --quiet basic.target; }
wait_for 30 manages || { cat /run/bench/manager.log; die "the system manager does not start"; }
# did COMMAND...: the same, with its output in the log
did() { echo "# $*" >> $log; managed "$@" >> $log 2>&1 || { cat $log /run/bench/manager.log; wrong "$* failed"; }; }

version() { managed rigready --version; }
# serves VERSION: the service runs, as this version, and its report counts
serves() {
    managed systemctl is-active --quiet rigready.service && grep -q "\"version\" : \"$1\"" /run/rigready/report.json &&
        managed rigready --cached --service walking
}
# keep NAME: what a person keeps of a version
keep() {
    did rigready record "/root/$1.jsonl" --timeout 8
    # A service that this rig has no sensor for does not run.
    managed rigready --format json --timeout 8 > "$DEBIAN/root/$1.json" || [ $? = 1 ] || wrong "$1 has no report"
    did rigready compare --write "/root/$1.yaml" --timeout 8
    did rigready permissions grant location --when-in-use --permissions "/root/$1-permissions.yaml"
}
# reads NAME CASE: the status of each command that reads what NAME kept
reads() {
    local status command
    for command in "check --rig /root/$1.jsonl --service walking" "compare /root/$1.jsonl --timeout 8" "compare /root/$1.json --timeout 8" \
        "compare /root/$1.yaml --timeout 8" "permissions --permissions /root/$1-permissions.yaml"; do
        status=0
        echo "# rigready $command" >> $log
        managed rigready $command >> $log 2>&1 || status=$?
        echo "$2 $status $command" >> /run/bench/upgrade-reads.txt
    done
}

did dpkg --install /share/rigready-older.deb
older=$(version)
did systemctl enable --now rigready.service
wait_for 40 serves "$older" || { cat /run/bench/manager.log; wrong "the service of $older does not run"; }
keep older
did dpkg --install /share/rigready-1.deb
newer=$(version)
[ "$newer" != "$older" ] || die "both packages are of version $newer"
wait_for 40 serves "$newer" || { cat /run/bench/manager.log; wrong "the service does not run as $newer"; }
reads older upgraded
keep newer
reads newer kept
did dpkg --install /share/rigready-older.deb
wait_for 40 serves "$older" || { cat /run/bench/manager.log; wrong "the service does not run as $older again"; }
reads newer downgraded
did systemctl is-enabled rigready.service
did dpkg --install /share/rigready-1.deb
wait_for 40 serves "$newer" || { cat /run/bench/manager.log; wrong "the service does not run as $newer again"; }
did dpkg --purge rigready
managed systemctl is-active rigready.service > /host/results/upgrade-end.txt || true
echo "$older $newer" > /host/results/upgrade-versions.txt
cp $log /run/bench/upgrade-reads.txt /host/results/
stop manager
manager_gone() { ! pidof systemd >/dev/null; }
wait_for 10 manager_gone || die "the system manager stays"
rm -rf /run/systemd /run/rigready

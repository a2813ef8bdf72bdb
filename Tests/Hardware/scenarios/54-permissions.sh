# One user without privileges: motion without access, by a group, by a seat's list and after a revocation; location
# through every decision about it. Each step is what the user, an administrator or a seat would do.
grants=/run/bench/case/grants.yaml
policy=/run/bench/case/policy.yaml
person 1003 driver
grep -q '^sensors:' /etc/group || echo 'sensors:x:950:driver' >> /etc/group
step() { local name=$1; shift; report_as 1003 "permissions-$name" --permissions "$grants" --policy "$policy" --timeout 8 "$@"; }
user() { /usr/bin/setpriv --reuid=1003 --regid=1003 --clear-groups /share/rigready permissions "$@" --permissions "$grants" >/dev/null 2>err || die "permissions $*: $(cat err)"; }
account() { RUNNER= report_with "$1" --as "$2" --permissions "$grants" --policy "$policy" --timeout 8; }

cd /run/bench/case
chown 1003 /run/bench/case
chip_bmi160
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'

step motion-none
account permissions-motion-none-by-root driver
chgrp 950 /dev/iio:device*
chmod 660 /dev/iio:device*
GROUPS_OF_USER=950
step motion-group
account permissions-motion-group-by-root driver
GROUPS_OF_USER=
chgrp 0 /dev/iio:device*
chmod 600 /dev/iio:device*
setfacl -m u:1003:rw /dev/iio:device*
step motion-seat
account permissions-motion-seat-by-root driver
user revoke motion
step motion-revoked
user forget motion

user grant location --always
step location-always
user revoke location
step location-denied
user grant location --when-in-use
step location-in-use
user grant location --always --accuracy reduced
step location-reduced
echo 'location: restricted' > "$policy"
step location-restricted
echo '{"location": {"maximum": "when-in-use"}}' > "$policy"
step location-in-use-at-most
rm "$policy"

mkdir -p /run/systemd/sessions
: > /run/systemd/sessions/7
export XDG_SESSION_ID=7
user grant location --once
unset XDG_SESSION_ID
step location-once
rm /run/systemd/sessions/7
step location-lapsed
user reset bluetooth
step bluetooth-undetermined
chown 0 /run/bench/case
cd /

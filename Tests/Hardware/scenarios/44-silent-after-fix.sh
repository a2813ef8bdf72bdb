# A receiver that had a fix and stops reporting, two seconds ago and then longer than the limit.
receiver 3d 4
gpsd_start -n /run/gps
gpsd_says '"mode":3'
wait_for 10 quiet || die "the receiver still reports"
report silent-after-fix --max-age 2 --timeout 4

# A private network namespace, as in a container: AF_BLUETOOTH gives EAFNOSUPPORT, gpsd is unreachable, sensors are
# visible.
chip_bmi160
controllers 1
receiver 3d
gpsd_start -n /run/gps
gpsd_says '"mode":3'
WRAPPER="/usr/bin/unshare --net" report container --timeout 4

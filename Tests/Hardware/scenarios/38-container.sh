# A network namespace of its own, as in a container: AF_BLUETOOTH gives EAFNOSUPPORT there, gpsd is out of reach, sensors are seen.
chip_bmi160
controllers 1
receiver 3d
gpsd_start -n /run/gps
gpsd_says '"mode":3'
WRAPPER="/usr/bin/unshare --net" report container --timeout 4

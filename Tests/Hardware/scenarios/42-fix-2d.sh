receiver 2d
gpsd_start -n /run/gps
gpsd_says '"mode":2'
report fix-2d --timeout 8
report fix-2d-wanted-3d --min-fix 3d --timeout 4

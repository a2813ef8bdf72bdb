receiver 3d
gpsd_start -n /run/gps
gpsd_says '"mode":3'
report fix-3d --timeout 8
report_as 1001 fix-3d-user --timeout 8

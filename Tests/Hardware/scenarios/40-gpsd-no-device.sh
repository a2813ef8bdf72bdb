gpsd_start
gpsd_says '"devices":\[\]'
report gpsd-no-device --timeout 4

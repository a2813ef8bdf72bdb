# A receiver of the kernel's class gnss: no gpsd, one that does not own it, and one that reads it.
gnss_receiver 3d
record gnss-without-gpsd --timeout 4
gpsd_start
gpsd_says '"devices":\[\]'
record gnss-not-owned --timeout 4
stop gpsd
gpsd_start -n /dev/gnss0
gpsd_says '"mode":3'
record gnss-fix --timeout 4

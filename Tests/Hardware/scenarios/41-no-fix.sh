# A working receiver without a position.
receiver none
gpsd_start -n /run/gps
gpsd_says '"mode":1'
report no-fix --timeout 4
report no-fix-wanted-none --min-fix none --timeout 4

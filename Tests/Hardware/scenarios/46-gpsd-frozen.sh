# Something accepts on gpsd's port and never says a word.
receiver 3d
gpsd_start -n /run/gps
gpsd_freeze
report gpsd-frozen --timeout 3

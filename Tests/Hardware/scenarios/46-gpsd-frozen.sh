# A listener on gpsd's port that accepts connections and never sends anything.
receiver 3d
gpsd_start -n /run/gps
gpsd_freeze
report gpsd-frozen --timeout 3

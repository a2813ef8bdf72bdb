# A receiver that reports that its position is simulated (GGA quality 8, RMC mode S): gpsd's status 8.
receiver simulated
gpsd_start -n /run/gps
gpsd_says '"status":8'
report simulated --timeout 8
report simulated-refused --no-simulated --timeout 8

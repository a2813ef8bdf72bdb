# Three faults at once: a chip without its driver, a blocked controller and a receiver without gpsd; `fix` repairs them with
# the report's own commands, which are without sudo for root.
block bmi160_i2c
fill_bmi160
new_chip bmi160 0x69
[ ! -e "$(client 0x69)/driver" ] || die "a driver is bound"
controllers 1
soft_block
usb_receiver 3d
app fix rigready fix --yes --timeout 8 --service impact --service driving.deviceDiscovery
report fix-after --timeout 8 --wait-fix 20
# gpsd runs on as a daemon.
kill -KILL $(pidof gpsd) || wrong "gpsd does not run"

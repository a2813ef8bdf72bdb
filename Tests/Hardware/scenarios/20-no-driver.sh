# A chip on its bus whose module is not loaded and may not load by itself; then the remedy.
block bmi160_i2c
fill_bmi160
new_chip bmi160 0x69
[ ! -e "$(client 0x69)/driver" ] || die "a driver is bound"
report no-driver --timeout 8
modprobe bmi160_i2c
wait_for 10 seen "$(client 0x69)/iio:device*/name" || wrong "the remedy does not help"
settle
report no-driver-mended --timeout 8

# A killed app leaves its buffer enabled; the next one takes it over.
hub start accel
accel=$(hub_device 200073)
program motion-app
LD_LIBRARY_PATH=/share/lib start killed /share/motion-app accelerometer 100000
wait_for 30 grep -q '^sample' /run/bench/killed.log || wrong "no sample came"
stop killed
grep -qx 1 "$accel/buffer/enable" || die "the buffer was not left enabled"
app capture-after-a-kill motion-app accelerometer 20
grep -qx 0 "$accel/buffer/enable" || wrong "the buffer is still enabled"

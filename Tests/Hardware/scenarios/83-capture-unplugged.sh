# The hub is unplugged during a capture.
hub start accel
app capture-unplugged motion-app accelerometer 100000 &
runner=$!
wait_for 30 grep -q '^sample' /run/bench/case/capture-unplugged.txt || wrong "no sample came"
hub stop
wait $runner

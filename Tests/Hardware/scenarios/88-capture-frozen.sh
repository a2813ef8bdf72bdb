# The hub stops answering during a capture, or before it.
hub start accel
app capture-frozen motion-app accelerometer 100000 &
runner=$!
wait_for 30 grep -q '^sample' /run/bench/case/capture-frozen.txt || wrong "no sample came"
hub freeze
wait_for 60 seen /host/results/capture-frozen.txt || wrong "the app hangs"
hub thaw
wait $runner
hub freeze
app capture-frozen-before motion-app accelerometer 10 &
runner=$!
wait_for 60 seen /host/results/capture-frozen-before.txt || wrong "the app hangs"
hub thaw
wait $runner

# The hub stops answering during a capture and answers again; then it stops before one.
hub start accel
app capture-frozen motion-app accelerometer 400 &
runner=$!
wait_for 30 grep -q '^sample' /run/bench/case/capture-frozen.txt || wrong "no sample came"
hub freeze
wait_for 60 grep -q '^error' /run/bench/case/capture-frozen.txt || wrong "the app is not notified"
hub thaw
wait $runner
hub freeze
app capture-frozen-before motion-app accelerometer 10 end-at-error &
runner=$!
wait_for 60 seen /host/results/capture-frozen-before.txt || wrong "the app hangs"
hub thaw
wait $runner

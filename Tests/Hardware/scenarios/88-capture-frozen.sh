# The hub stops answering during a capture, or before it.
hub start accel
capturing capture-frozen
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

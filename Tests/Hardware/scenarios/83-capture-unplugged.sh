# The hub is unplugged during a capture.
hub start accel
capturing capture-unplugged
hub stop
wait $runner

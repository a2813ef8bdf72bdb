# A hub is pulled out after its sensors were listed, while they are being read: it does not answer, and then it is gone.
hub start accel gyro
hub freeze
{ usleep 2500000; stop hub; } &
puller=$!
report unplugged-while-read --timeout 8
wait $puller

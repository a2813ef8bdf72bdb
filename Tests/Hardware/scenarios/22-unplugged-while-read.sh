# A hub is unplugged after its sensors were listed, while they are being read: it does not answer, and then it is gone.
for verb in report record; do
    hub start accel gyro
    hub freeze
    { usleep 2500000; stop hub; } &
    puller=$!
    $verb unplugged-while-read --timeout 5
    wait $puller
    wait_for 10 gone "$HUB" || die "the hub is still there"
done

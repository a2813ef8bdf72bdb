# The board, for a browser outside the machine, while real drivers come and go: see Tests/Web/test_machine.py.
modprobe virtio_net || die "no network driver"
ip link set eth0 up
ip address add 10.0.2.15/24 dev eth0 || die "no network"
modprobe -a rfkill bluetooth 2>/dev/null || true
(umask 077; echo "$BOARD_TOKEN" > /run/bench/case/token)
program rigready-web
start board env LD_LIBRARY_PATH=/share/lib /share/rigready-web --listen 0.0.0.0:8710 --token-file /run/bench/case/token
wait_for 60 listening 8710 || die "the board does not listen"
# A browser starts.
sleep "${BOARD_SECONDS:-20}"
for turn in 1 2 3; do
    hub start accel gyro
    sleep 5
    hub stop
    sleep 5
done
controllers 1
sleep 5
power_off 0
sleep 5
stop btvirt
sleep 5
stop board
rm /run/bench/case/token

# How long after the kernel's event the watch's line comes, compared with a bare program that listens to the same
# source.
watched() { tail -n "+$(( line + 1 ))" /run/bench/lines | grep -q "$1"; }
tells() { wait_for 20 watched "$1" || wrong "the watch never says '$1'"; line=$(wc -l < /run/bench/lines); }
line=0
: > /run/bench/lines
controllers 1
install_rules
start listener /share/listener management
start devices /share/listener uevents
mkfifo /run/bench/stream 2>/dev/null || true
start stamp sh -c '/share/listener lines < /run/bench/stream > /run/bench/lines'
start watch sh -c 'LD_LIBRARY_PATH=/share/lib exec /share/rigready watch --depth state > /run/bench/stream'
tells 'services fail'
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    hciconfig hci0 down; tells 'Bluetooth: .* → powered off'
    hciconfig hci0 up; tells 'Bluetooth: .* → met'
done
registers 0x19 0x8f 0x33
for turn in 1 2 3 4 5 6 7 8 9 10; do
    new_chip lis3dh 0x19; tells 'accelerometer: .* → met'
    remove_chip 0x19; tells 'accelerometer: .* → absent'
done
cp /run/bench/lines /host/results/latency-lines.txt
cp /run/bench/listener.log /host/results/latency-management.txt
cp /run/bench/devices.log /host/results/latency-uevents.txt

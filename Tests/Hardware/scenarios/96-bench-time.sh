# What a probe takes beside the slowest answer that it needs, BENCH_ROUNDS times, for Benchmarks/run --kept: lines of a name
# and two times in milliseconds.
times=/host/results/bench-times.txt
rigready() { LD_LIBRARY_PATH=/share/lib /share/rigready "$@"; }
axes() { cat "$1"/in_accel_x_raw "$1"/in_accel_y_raw "$1"/in_accel_z_raw >/dev/null; }
# The time of the probe, in whole milliseconds, from its report.
probe_time() {
    rigready --format json | sed -n 's/.*"elapsedMilliseconds" : \([0-9]*\).*/\1/p' | sort -n | tail -n 1
}
rounds() {
    local round begin own
    for round in $(seq "${BENCH_ROUNDS:-2}"); do
        begin=$(uptime_ms); axes "$(client 0x18)"/iio:device*; own=$(( $(uptime_ms) - begin ))
        begin=$(uptime_ms); rigready --depth presence >/dev/null || true; echo "start $(( $(uptime_ms) - begin )) $own" >> $times
        begin=$(uptime_ms); rigready >/dev/null || true; echo "$1.wall $(( $(uptime_ms) - begin )) $own" >> $times
        echo "$1.probe $(probe_time) $own" >> $times
    done
}
STUB_CHIPS=0x18,0x19,0x1a,0x1b,0x1c,0x1d,0x1e,0x1f,0x20,0x21
count=0
for address in $(echo $STUB_CHIPS | tr , ' '); do
    chip_lis3dh "$address" 10
    count=$(( count + 1 ))
    case $count in 1|4) rounds $count ;; esac
done
hub start accel gyro
rounds 12
hub stop
for address in $(echo $STUB_CHIPS | tr , ' '); do remove_chip "$address"; done
remove_stub

# From an event of the management socket to the watch's line, without and with a chip that is read all the time.
mkfifo /run/bench/times 2>/dev/null || true
: > /run/bench/lines
line=0
watched() { tail -n "+$(( line + 1 ))" /run/bench/lines | grep -q "$1"; }
tells() { wait_for 20 watched "$1" || wrong "the watch never says '$1'"; line=$(wc -l < /run/bench/lines); }
controllers 1
for name in alone beside; do
    STUB_CHIPS=0x19
    [ $name = alone ] || chip_lis3dh 0x19 default
    : > /run/bench/lines
    line=0
    start listener /share/listener management
    start stamp sh -c '/share/listener lines < /run/bench/times > /run/bench/lines'
    start watch sh -c 'LD_LIBRARY_PATH=/share/lib exec /share/rigready watch --resample 6 > /run/bench/times'
    tells 'services fail'
    for turn in $(seq "$(( ${BENCH_ROUNDS:-2} * 2 ))"); do
        hciconfig hci0 down; tells 'Bluetooth: .* → powered off'
        hciconfig hci0 up; tells 'Bluetooth: .* → met'
    done
    # Each line, after the last event before it (6: new settings).
    { sed 's/^/event /' /run/bench/listener.log; sed 's/^/line /' /run/bench/lines; } | sort -k 2,2n |
        awk -v name=$name '$1 == "event" && $3 == 6 { at = $2 } $1 == "line" && /Bluetooth: / && at { print "event." name, ($2 - at) / 1e6, 1 }' >> $times
    stop watch; stop stamp; stop listener
done

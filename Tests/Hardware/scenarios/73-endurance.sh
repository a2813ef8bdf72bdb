# Thousands of kernel events, five hundred at once: lost ones are recovered, and no resources are leaked. Each quarter has STORMS times
# five hundred.
log=/run/bench/watch.log
# The copy at the end is whole or not there: what a first machine leaves is not written again by a second one.
held=/run/bench/holdings
said() { tail -n "+$(( line + 1 ))" "$log" | grep -q "$1"; }
tells() { wait_for 30 said "$1" || { cp "$log" /host/results/endurance.txt; wrong "the watch never says '$1' after line $line"; }; line=$(wc -l < "$log"); }
threads() { ls /proc/$watch/task | wc -l; }
has_as_many() { [ "$(threads)" -le "$as_many" ]; }
holdings() { echo "$1 $(ls /proc/$watch/fd | wc -l) $(threads) $(sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' /proc/$watch/status)" >> "$held"; }
storm() { /share/storm "$1" /sys/bus/iio/devices/iio:device*/uevent; udevadm settle --timeout=60 || die "udev does not settle"; }
line=0
chip_lis3dh
start watch env LD_LIBRARY_PATH=/share/lib /share/rigready watch --depth state
watch=$(pid watch)
tells 'services fail'
storm 500
remove_chip 0x19; tells 'accelerometer: .* → absent'
chip_lis3dh; tells 'accelerometer: .* → met'
# The thread of the last probe may be about to end when its line is there.
usleep 2000000
as_many=$(threads)
holdings before
# In batches: an emulated kernel stalls under all of them at once. Room for a larger burst than any before is allocated
# once, whenever it comes; what is leaked at each event grows in every quarter.
for quarter in 1 2 3 4; do
    for batch in $(seq "${STORMS:-1}"); do storm 500; done
    for turn in 1 2 3; do
        remove_chip 0x19; tells 'accelerometer: .* → absent'
        chip_lis3dh; tells 'accelerometer: .* → met'
    done
    wait_for 10 has_as_many || true
    holdings quarter-$quarter
done
gpsd_start -n
tells 'location: .* → '
# A minute would show no more than these ten seconds: without an event there is no reason to wake.
switches() { cat /proc/$watch/task/*/status | sed -n 's/.*voluntary_ctxt_switches:[^0-9]*//p' | awk '{ sum += $1 } END { print sum }'; }
# On a busy host the last work after gpsd's start may come late.
rests() { before=$(switches); usleep 2000000; [ "$(switches)" = "$before" ]; }
wait_for 30 rests || true
before=$(switches); usleep 10000000; echo "idle $(( $(switches) - before ))" >> "$held"
report endurance-end
cp "$log" /host/results/endurance.txt
cp "$held" /host/results/endurance-holdings.txt

# A hub that stops answering before the kernel suspends it: whoever asks it then sleeps in the kernel where no
# signal reaches, until all requests have timed out.
# The threads of the program that sleep so, by their folders; and the processes that have any.
sleepers() { grep -l '^State:.D' $(grep -lx rigready /proc/[0-9]*/task/*/comm | sed 's/comm$/status/') 2>/dev/null | sed 's|/status$||'; }
left() { sleepers | cut -d/ -f3 | sort -u; }
suspending() { [ "$(grep -l suspending $HUB/HID-SENSOR-20007?.*/power/runtime_status | wc -l)" -eq 2 ]; }
# Reads, so that the kernel suspends both sensors three seconds later, which the hub no longer answers.
freeze_before_suspend() {
    cat $HUB/HID-SENSOR-20007?.*/iio:device*/in_*_x_raw >/dev/null
    hub freeze
    wait_for 10 suspending || die "the hub is not being suspended"
}
thaw() { hub thaw; wait_for 60 nobody_left || wrong "a process is left behind though the hub answers"; }
nobody_left() { [ -z "$(left)" ]; }

hub start accel gyro
freeze_before_suspend
record hub-suspended --timeout 2
thaw
freeze_before_suspend
report hub-suspended --timeout 2
# It ended while the kernel still holds its child, which keeps nothing of the caller's open.
for task in $(sleepers); do ls -l $task/fd; done > /host/results/hub-suspended-open.txt
left > /host/results/hub-suspended-left.txt
thaw

freeze_before_suspend
start watch env LD_LIBRARY_PATH=/share/lib /share/rigready watch --resample 1
wait_for 30 grep -q 'services fail' /run/bench/watch.log || wrong "the watch says nothing"
both_hang() { [ "$(sleepers | wc -l)" -eq 2 ]; }
wait_for 10 both_hang || die "the reads of both sensors do not hang"
threads() { sed -n 's/^Threads:[^0-9]*//p' "/proc/$(left | head -n 1)/status"; }
# Three more probes. Their threads come and go; what each of them left behind would be in the lowest number of the last second.
usleep 2000000
lowest=$(threads)
for turn in 1 2 3 4 5 6 7 8 9 10; do usleep 100000; now=$(threads); [ "$now" -ge "$lowest" ] || lowest=$now; done
left | wc -l > /host/results/hub-suspended-watch.txt
sleepers | wc -l >> /host/results/hub-suspended-watch.txt
echo "$lowest" >> /host/results/hub-suspended-watch.txt
begin=$(uptime_ms)
kill -TERM "$(pid watch)"
wait_for 20 gone "/proc/$(pid watch)/exe" || wrong "the watch does not end"
echo $(( $(uptime_ms) - begin )) >> /host/results/hub-suspended-watch.txt
thaw

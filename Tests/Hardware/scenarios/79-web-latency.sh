# How long after the kernel's event of a chip that comes or goes a reader of the board has the changed page, over HTTP: see
# Tests/Web/test_machine.py. WEB_PLUGS chips come and go, one after the other.
install_rules
# A chip whose values come at once: the time of a slow one would be its own.
fill_bmi160
bus=/sys/bus/i2c/devices/i2c-$(bus)
start kernel /share/listener kernel
start devices /share/listener uevents
program rigready-web
start board env LD_LIBRARY_PATH=/share/lib /share/rigready-web
wait_for 60 listening 8710 || die "the board does not listen"
# The reader's request, and then nothing, for as long as it is open.
mkfifo /run/bench/request /run/bench/stream
start request sh -c '{ printf "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"; exec sleep 1000; } > /run/bench/request'
start reader sh -c 'exec socat - TCP:127.0.0.1:8710 < /run/bench/request > /run/bench/stream'
start lines sh -c '/share/listener lines < /run/bench/stream > /run/bench/lines'
# The newest page that is complete, as far as what it shows of now.
page() {
    tail -c 100000 /run/bench/lines | awk '/ event: report/ { page = "" } { page = page "\n" $0 } / data: <\/main>/ { last = page }
        END { print last }' | sed '/Last changes/q'
}
names() { page | grep -q bmi160; }
omits() { page | grep -q 'Last changes' && ! names; }
wait_for 60 omits || wrong "the reader has no page"
# Its first signals; nothing else runs while a change is on its way, so nothing here asks for it.
sleep 2
for turn in $(seq "${WEB_PLUGS:-10}"); do
    echo bmi160 0x69 > "$bus/new_device"
    sleep 1.5
    wait_for 20 names || wrong "the page does not show chip $turn"
    echo 0x69 > "$bus/delete_device"
    sleep 1.5
    wait_for 20 omits || wrong "the page still shows chip $turn"
done
stop board
cp /run/bench/lines /host/results/web-latency-lines.txt
cp /run/bench/kernel.log /host/results/web-latency-kernel.txt
cp /run/bench/devices.log /host/results/web-latency-udev.txt

# Known signals are measured: white noise and a bias, a wandering position, gaps, swapped times, stuck and clipped axes, a late start, turns.
# A healthy capture of 60 s or more has an Allan deviation.
measure_hub() {     # measure_hub CASE SECONDS WORDS…
    local case=$1 seconds=$2; shift 2
    hub start accel gyro fine "$@"
    app "$case" rigready measure --for "$seconds" --format json --sensor accelerometer=accel_3d \
        --save "/run/bench/case/$case.jsonl" --save "/run/bench/case/$case.html" --save "/run/bench/case/$case.csv"
    mv "/run/bench/case/$case".* /host/results/
    hub stop
}
hub start accel gyro fine timed
controllers 1
usb_receiver wander
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
app signal-healthy rigready measure --for "${SIGNAL_SECONDS:-15}" --format json --save /run/bench/case/signal-healthy.jsonl --save /run/bench/case/signal-healthy.html
mv /run/bench/case/signal-healthy.* /host/results/
hub stop
# A receiver that drives, and one whose position jumps.
for way in moving jumping; do
    location_clean
    usb_receiver $way
    gpsd_start -n /dev/ttyACM0
    gpsd_says '"mode":3'
    app signal-$way rigready measure --for 15 --format json --sensor locationReceiver=/dev/ttyACM0
done
measure_hub signal-gaps 22 timed gaps
measure_hub signal-swapped 6 swapped
measure_hub signal-faults 6 timed stuck clipped
measure_hub signal-late 8 timed late
# Turned as asked, and with the axes of another mounting.
for turns in turns turns-crossed; do
    hub start accel gyro timed $turns
    app "signal-$turns" rigready measure --move --format json
    hub stop
done

# Healthy sensors raise no false alarm: eight of them are measured HEALTHY_RUNS times for ten seconds, and each capture is replayed.
modprobe uhid || die "uhid does not load"
for number in 1 2 3 4; do start "swarm-$number" /usr/bin/hub accel gyro fine timed; done
sensors() { [ "$(ls -d $HUB/HID-SENSOR-20007[36].*/iio:device*/name 2>/dev/null | wc -l)" -eq 8 ]; }
wait_for 30 sensors || die "there are not eight sensors"
settle
run=0
: > /run/bench/case/findings
while [ "$run" -lt "${HEALTHY_RUNS:-2}" ]; do
    run=$(( run + 1 ))
    file=/run/bench/case/healthy.jsonl
    LD_LIBRARY_PATH=/share/lib timeout -s KILL 60 /share/rigready measure --for 10 --format json --save $file > /run/bench/case/live.json 2>/run/bench/case/err ||
        [ $? -le 2 ] || wrong "run $run ends with $?: $(cat /run/bench/case/err)"
    LD_LIBRARY_PATH=/share/lib timeout -s KILL 60 /share/rigready measure --rig $file --format json > /run/bench/case/replayed.json || [ $? -le 2 ] || wrong "replay $run"
    grep -o '"verdict" : "[a-z]*"' /run/bench/case/replayed.json | sed "s/^/run $run: /" >> /run/bench/case/findings
    grep -o '"id" : "[a-zA-Z]*"' /run/bench/case/replayed.json | sed "s/^/run $run: /" >> /run/bench/case/findings
    if grep -qE '"severity" : "bad"' /run/bench/case/replayed.json; then cp $file "/host/results/false-alarm-$run.jsonl"; fi
done
# Lines `run N: "verdict" : "good"` and `run N: "id" : "slow"`.
mv /run/bench/case/findings /host/results/measure-healthy.txt
for number in 1 2 3 4; do stop "swarm-$number"; done

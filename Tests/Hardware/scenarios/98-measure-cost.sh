# What a measurement costs: four hubs of two sensors each stream at the highest rate that the kernel sets, 2 ms.
modprobe uhid || die "uhid does not load"
for number in 1 2 3 4; do start "swarm-$number" /usr/bin/hub accel gyro paced; done
sensors() { [ "$(ls -d $HUB/HID-SENSOR-20007[36].*/iio:device*/name 2>/dev/null | wc -l)" -eq 8 ]; }
wait_for 30 sensors || die "there are not eight sensors"
settle
seconds=${COST_SECONDS:-20}
cat > /run/bench/case/run <<END
exec /share/rigready measure --for $seconds --rate 500 --format json > /run/bench/case/measure-cost.json
END
# ROUND COMMAND NANOSECONDS CPU-NANOSECONDS PEAK-KIB STATUS
LD_LIBRARY_PATH=/share/lib timeout -s KILL 200 /share/measure 0 /usr/bin/dash /run/bench/case/run > /run/bench/case/cost || wrong "no measurement"
echo "$seconds s: $(cat /run/bench/case/cost)" > /host/results/measure-cost.txt
# A check of a recording costs the same everywhere, so it tells how much slower this machine is than another.
LD_LIBRARY_PATH=/share/lib /share/measure 2 /share/rigready --rig demo | tail -n 1 | sed 's/^/a check of the demo: /' >> /host/results/measure-cost.txt
mv /run/bench/case/measure-cost.json /host/results/measure-cost-report.txt
for number in 1 2 3 4; do stop "swarm-$number"; done

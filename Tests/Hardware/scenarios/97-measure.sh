# A rig of everything is measured: the hub streams, the chip is constant, the controller answers, the receiver has a fix.
# An emulated chip is read 17 times a second on a busy host, and a verdict on constant values needs 100 samples.
chip_bmi160
hub start accel gyro short
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
accel=$(hub_device 200073)
settings() { cd "$accel"; for file in buffer/enable buffer/length buffer/watermark scan_elements/*_en trigger/current_trigger in_accel_sampling_frequency; do echo "$file $(cat "$file")"; done; cd /; }
settings > /host/results/measure-before.txt
app measure rigready measure --for 15 --format json --save /run/bench/case/measure.jsonl
mv /run/bench/case/measure.jsonl /host/results/
settings > /host/results/measure-after.txt
app measure-text rigready measure --for 1
# Without the right to the nodes and the management socket.
app_as 1000 measure-denied rigready measure --for 1 --format json
# Told to end, it puts the settings back.
start measuring /share/rigready measure --for 60 --rate 20
wait_for 10 grep -qx 1 "$accel/buffer/enable" || wrong "nothing is captured"
kill -TERM "$(pid measuring)"
wait_for 5 grep -qx 0 "$accel/buffer/enable" || wrong "the capture does not end"
wait_for 5 gone "/proc/$(pid measuring)/exe" || wrong "the program does not end"
settings > /host/results/measure-terminated.txt

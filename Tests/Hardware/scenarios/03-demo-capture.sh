# What the rig embedded as `demo` measures: the hub streams white noise on its own clock, the receiver's position wanders.
install_rules
chip_bmi160
chip_bma400
steps=$(echo "$(client 0x14)"/iio:device*/in_steps_en)
echo 1 > "$steps"
hub start accel gyro fine timed
controllers 1
bluetooth_daemon hci0
usb_receiver wander
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
app demo-capture rigready measure --for 10 --sensor accelerometer=accel_3d --sensor gyroscope=gyro_3d --sensor bluetoothAdapter=00:AA:01:00:00:00 \
    --sensor locationReceiver=platform-dummy_hcd.0-usb-0:1:1.0 --save /run/bench/case/demo-capture.jsonl.gz
mv /run/bench/case/demo-capture.jsonl.gz /host/results/

# An app captures from the hub at 50 Hz, through the buffer. The upper 16 bits of the hub's cells are undefined.
hub start accel gyro short
accel=$(hub_device 200073)
grep -q 's16/32' "$accel/scan_elements/in_accel_x_type" || die "the cells have no unused bits"
settings() { cd "$accel"; for file in buffer/enable buffer/length buffer/watermark scan_elements/*_en trigger/current_trigger in_accel_sampling_frequency; do echo "$file $(cat "$file")"; done; cd /; }
echo 1 > "$accel/scan_elements/in_accel_y_en"
settings > /host/results/settings-before.txt
app capture-accelerometer motion-app accelerometer 150
settings > /host/results/settings-after.txt
app capture-gyro motion-app gyro 50

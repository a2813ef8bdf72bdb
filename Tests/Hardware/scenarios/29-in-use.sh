# A chip whose buffer is enabled by another program: polled reads give EBUSY. The hub lends its trigger, since the stub
# has no interrupt.
chip_lis3dh
hub start gyro
device=$(echo "$(client 0x19)"/iio:device*)
cat $HUB/HID-SENSOR-200076.*/trigger*/name > "$device/trigger/current_trigger"
echo 1 > "$device/scan_elements/in_accel_x_en"
echo 1 > "$device/buffer/enable"
cat "$device/in_accel_x_raw" 2>/dev/null && die "the chip can be read"
report in-use --timeout 8

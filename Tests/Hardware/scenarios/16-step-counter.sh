# A step counter, initially switched off; then switched on.
chip_bma400
report steps-off --timeout 8
device=$(echo "$(client 0x14)"/iio:device*)
echo 1 > "$device/in_steps_en"
report steps-on --timeout 8

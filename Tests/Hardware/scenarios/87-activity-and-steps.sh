# A chip that gives activities and counts steps; its counter is switched off, then on.
registers 0x14 0x18 0x01         # the bearer walks
chip_bma400
device=$(echo "$(client 0x14)"/iio:device*)
[ -e "$device/in_activity_walking_input" ] || die "the driver gives no activity"
app steps-off motion-app steps
echo 1 > "$device/in_steps_en"
app activity motion-app activity
app steps-on motion-app steps

# A watch during everything that can happen to a rig: each event must lead to its own line, in order.
grants=/run/bench/case/watched.yaml
rm -f "$grants"
modprobe -a rfkill bluetooth 2>/dev/null || true
watching --timeout 8 --max-age 3 --permissions "$grants"

hub start accel gyro
tells 'gyroscope: .* → met'
hub stop
tells 'gyroscope: .* → absent'
chip_lis3dh
tells 'accelerometer: .* → met'
remove_chip 0x19 2>/dev/null || remove_chip 0x18
tells 'accelerometer: .* → absent'

controllers 1
tells 'Bluetooth: .* → met'
power_off 0
tells 'Bluetooth: met → powered off'
power_on 0
tells 'Bluetooth: powered off → met'
rfkill block bluetooth
tells 'Bluetooth: .* → soft blocked'
rfkill unblock bluetooth
power_on 0
tells 'Bluetooth: .* → met'
stop btvirt
# While it is being removed, the kernel may still list it and answer no more.
tells 'Bluetooth: .* → absent'

receiver 3d
gpsd_start -n /run/gps
tells 'location: .* → met'
kill -STOP "$(pid nmea)"
tells 'location: met → stale'
kill -CONT "$(pid nmea)"
tells 'location: .* → met'
stop gpsd
tells 'location: met → unreachable'
gpsd_start -n /run/gps
tells 'location: .* → met'

echo 'location: denied' > "$grants.new"; mv "$grants.new" "$grants"
tells 'location: met → denied'
echo 'location: {status: when-in-use' > "$grants"
sleep 1
running watch || wrong "the watch ended over a file that is not valid"
rm "$grants"
tells 'location: denied → met'

report watch-end --timeout 8
watched

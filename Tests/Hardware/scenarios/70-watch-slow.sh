# A watch beside a chip whose reading takes six seconds: it delays its own line and no other.
log=/run/bench/watch.log
said() { tail -n "+$(( line + 1 ))" "$log" | grep -q "$1"; }
tells() {
    wait_for 30 said "$1" || { cp "$log" /host/results/watch-slow.txt; wrong "the watch never says '$1' after line $line"; }
    line=$(( line + $(tail -n "+$(( line + 1 ))" "$log" | grep -n -m 1 "$1" | cut -d: -f1) ))
}
line=0
controllers 1
registers 0x19 0x8f 0x33
registers 0x19 0xa8 0x40 0x01 0x20 0xfe 0x80 0x3e
start watch env LD_LIBRARY_PATH=/share/lib /share/rigready watch
tells 'services fail'
put_chip lis3dh 0x19
power_off 0
tells 'Bluetooth: met → powered off'
tells 'accelerometer: absent → met'
power_on 0
tells 'Bluetooth: powered off → met'
# It is being read again all the time now, while everything else comes and goes.
stop watch
line=0
start watch env LD_LIBRARY_PATH=/share/lib /share/rigready watch --resample 1
tells 'services fail'
hub start gyro
tells 'gyroscope: absent → met'
hub stop
tells 'gyroscope: met → absent'
power_off 0
tells 'Bluetooth: met → powered off'
receiver 3d
gpsd_start -n /run/gps
tells 'location: .* → met'
stop gpsd
tells 'location: met → unreachable'
remove_chip 0x19
tells 'accelerometer: met → absent'
report watch-slow-end
kill -TERM "$(pid watch)"
wait_for 5 gone "/proc/$(pid watch)/exe" || wrong "the watch does not end"
cp "$log" /host/results/watch-slow.txt

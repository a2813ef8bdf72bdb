# A watch beside a chip whose reading takes six seconds: it delays its own line and no other.
controllers 1
registers 0x19 0x8f 0x33
registers 0x19 0xa8 0x40 0x01 0x20 0xfe 0x80 0x3e
watching
put_chip lis3dh 0x19
power_off 0
tells 'Bluetooth: met → powered off'
tells 'accelerometer: absent → met'
power_on 0
tells 'Bluetooth: powered off → met'
# It is being read again all the time now, while everything else comes and goes.
stop watch
watching --resample 1
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
watched

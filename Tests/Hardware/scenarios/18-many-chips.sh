# Twelve devices: ten chips at 10 Hz, of which each reading takes 0.6 s, and a hub.
STUB_CHIPS=0x18,0x19,0x1a,0x1b,0x1c,0x1d,0x1e,0x1f,0x20,0x21
for address in $(echo $STUB_CHIPS | tr , ' '); do chip_lis3dh "$address" 10; done
hub start accel gyro
cd "$(client 0x18)"/iio:device*
# How long the slowest of them takes by itself, in milliseconds.
begin=$(uptime_ms); cat in_accel_x_raw in_accel_y_raw in_accel_z_raw >/dev/null; echo $(( $(uptime_ms) - begin )) > /host/results/many-chips-slowest.txt
cd /
report many-chips

# A user who may not read the node; then one who may, but may not write the settings.
hub start accel
chmod 600 /dev/iio:device*
app_as 1001 capture-denied motion-app accelerometer 10
setfacl -m u:1001:rw /dev/iio:device*
app_as 1001 capture-unprivileged motion-app accelerometer 20

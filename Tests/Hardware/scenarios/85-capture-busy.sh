# Another program captures from the sensor, and continues.
hub start accel
capture accel_3d
accel=$(hub_device 200073)
app capture-busy motion-app accelerometer 10
running capture-accel_3d || die "the other program has ended"
grep -qx 1 "$accel/buffer/enable" || die "the other program's buffer was switched off"

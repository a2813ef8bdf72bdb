# gpsd owns the receiver and opens it only for a watching client.
usb_receiver 3d
gpsd_start /dev/ttyACM0
report receiver-idle-state --depth state --timeout 8
report receiver-idle --timeout 12

# A USB receiver that the kernel shows: first no gpsd at all, then one that does not own it.
usb_receiver 3d
report receiver-without-gpsd --timeout 4
gpsd_start
gpsd_says '"devices":\[\]'
report receiver-not-owned --timeout 4

# The receiver is unplugged while gpsd has it open.
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
unplug_usb_receiver
report receiver-unplugged --timeout 4

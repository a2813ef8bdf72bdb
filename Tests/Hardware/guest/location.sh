# Receivers: NMEA (nmea.c) on a pseudo-terminal or behind a USB port (a gadget on dummy_hcd); and gpsd.

# receiver MODE [SECONDS]: on a pseudo-terminal, whose name is /run/gps. Modes: see nmea.c
receiver() { start nmea nmea "$1" pty:/run/gps ${2:+"$2"}; wait_for 5 test -e /run/gps || die "no receiver"; }

# gadget FUNCTION VENDOR PRODUCT MANUFACTURER NAME NODE: a device on USB, whose driver makes NODE
GADGET=/run/configfs/usb_gadget/gps
gadget() {
    modprobe -a dummy_hcd libcomposite || die "no USB gadgets"
    [ -d /run/configfs/usb_gadget ] || { mkdir -p /run/configfs && mount -t configfs configfs /run/configfs; }
    mkdir -p $GADGET/strings/0x409 $GADGET/configs/c.1/strings/0x409 "$GADGET/functions/$1"
    echo "$2" > $GADGET/idVendor
    echo "$3" > $GADGET/idProduct
    echo "$4" > $GADGET/strings/0x409/manufacturer
    echo "$5" > $GADGET/strings/0x409/product
    [ -e "$GADGET/configs/c.1/$1" ] || ln -s "$GADGET/functions/$1" $GADGET/configs/c.1/
    echo dummy_udc.0 > $GADGET/UDC
    wait_for 10 test -e "$6" || die "no $6"
    settle
}
# usb_receiver MODE [SECONDS]: a u-blox on USB, /dev/ttyACM0 with all its udev properties
usb_receiver() {
    gadget acm.0 0x1546 0x01a8 "u-blox AG - www.u-blox.com" "u-blox GNSS receiver" /dev/ttyACM0
    start nmea nmea "$1" /dev/ttyGS0 ${2:+"$2"}
}
# gnss_receiver MODE [SECONDS]: a Sierra Wireless XM1210, which the kernel's driver gnss-usb makes /dev/gnss0
gnss_receiver() {
    modprobe gnss-usb || die "no gnss-usb"
    gadget gser.0 0x1199 0xb000 "Sierra Wireless" "XM1210" /dev/gnss0
    start nmea nmea "$1" /dev/ttyGS0 ${2:+"$2"}
}
unplug_usb_receiver() { echo "" > $GADGET/UDC; wait_for 5 gone /dev/ttyACM0 || die "/dev/ttyACM0 is still there"; }

# gpsd_start [OPTIONS AND DEVICES]: the caller passes -n (open receivers at once)
gpsd_start() {
    start gpsd gpsd -N -b -S 2947 -F /run/gpsd.sock "$@"
    wait_for 10 listening 2947 || die "gpsd does not listen"
}
listening() { grep -q ":$(printf %04X "$1") [0-9A-F]*:0000 0A " /proc/net/tcp /proc/net/tcp6; }

# gpsd_says PATTERN: waits until gpsd reports it to a watching client
gpsd_says() { wait_for 12 gpsd_said "$1" || die "gpsd never says $1"; }
gpsd_said() { { echo '?WATCH={"enable":true,"json":true};'; usleep 400000; echo '?POLL;'; usleep 200000; } | timeout 3 nc 127.0.0.1 2947 | grep -q "$1"; }
quiet() { ! { echo '?WATCH={"enable":true,"json":true};'; usleep 700000; } | timeout 3 nc 127.0.0.1 2947 | grep -q '"class":"TPV"'; }   # no position in 0.7 s
gpsd_freeze() { kill -STOP "$(pid gpsd)"; }

location_clean() {
    stop gpsd
    stop nmea
    # The next one has another function, and its terminal is /dev/ttyGS0 too.
    [ ! -d $GADGET ] || { echo "" > $GADGET/UDC || true; rm -f $GADGET/configs/c.1/*.0; rmdir $GADGET/functions/* || true; } 2>/dev/null
    rm -f /run/gps /run/gpsd.sock
    wait_for 5 gone /dev/ttyACM0 && wait_for 5 gone /dev/gnss0 || die "receivers are left over"
}

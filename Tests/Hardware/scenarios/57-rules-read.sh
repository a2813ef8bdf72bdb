# The rules as the real udevd reads them: on real devices, on simulated ones that this machine cannot have, and broken.
install_rules
chip_bmi160
device=$(echo /sys/bus/iio/devices/iio:device*)
udevadm test --action=add "$device" > /host/results/rules-read.txt 2>&1
complaints "$device" > /host/results/rules-complaints.txt
# A broken rule is reported: the check above can fail.
for line in 'SUBSYSTEM=="iio", GROUPS="iio"' 'SUBSYSTEM=="iio" GROUP="iio' 'SUBSYSTEM=="iio", GOTO="nowhere"' 'SUBSYSTEM="iio", MODE="rw"'; do
    echo "$line" > $RULES/70-rigready-broken.rules
    complaints "$device"
done > /host/results/rules-broken.txt
rm $RULES/70-rigready-broken.rules

# made FOLDER SUBSYSTEM [FILE=TEXT...]: a device of a simulated sysfs
made() {
    local folder=$SYS/devices/$1 subsystem=$2 pair; shift 2
    mkdir -p "$folder" "$SYS/bus/$subsystem" "$SYS/class/$subsystem"
    printf '' > "$folder/uevent"
    case $subsystem in
    usb|i2c|spi|platform|pci|hid|iio) ln -sfn "$SYS_SEEN/bus/$subsystem" "$folder/subsystem" ;;
    *) ln -sfn "$SYS_SEEN/class/$subsystem" "$folder/subsystem" ;;
    esac
    for pair; do printf '%s\n' "${pair#*=}" > "$folder/${pair%%=*}"; done
}
SYS=/run/bench/sys SYS_SEEN=/sys
number=0
# sensor PARENT [FILE=TEXT...]: an IIO device below
sensor() {
    local parent=$1; shift
    made "$parent/iio:device$number" iio "$@"
    printf 'MAJOR=249\nMINOR=%s\nDEVNAME=iio:device%s\nDEVTYPE=iio_device\n' $number $number > "$SYS/devices/$parent/iio:device$number/uevent"
    echo "/devices/$parent/iio:device$number" >> $SYS/list
    number=$((number + 1))
}
port() {
    local path=$1 subsystem=$2; shift 2
    made "$path" "$subsystem" "$@"
    printf 'MAJOR=250\nMINOR=%s\nDEVNAME=%s\n' $number "$(basename "$path")" > "$SYS/devices/$path/uevent"
    echo "/devices/$path" >> $SYS/list
    number=$((number + 1))
}
mkdir -p $SYS
pci=pci0000:00/0000:00:15.0
made $pci pci
made $pci/i2c_designware.0 platform
made $pci/i2c_designware.0/i2c-4 i2c
made $pci/i2c_designware.0/i2c-4/4-0068 i2c name=imu
sensor $pci/i2c_designware.0/i2c-4/4-0068 in_accel_x_raw=1 in_anglvel_x_raw=1 "label=front imu"
made $pci/i2c_designware.0/i2c-4/i2c-7 i2c
made $pci/i2c_designware.0/i2c-4/i2c-7/7-0068 i2c name=imu
sensor $pci/i2c_designware.0/i2c-4/i2c-7/7-0068 in_accel3_z_input=1 label=up/../../sda
made platform/fe204000.spi platform
made platform/fe204000.spi/spi_master/spi0/spi0.1 spi
sensor platform/fe204000.spi/spi_master/spi0/spi0.1 in_anglvel_z_raw=1
made $pci/usb1 usb
made $pci/usb1/1-2 usb idVendor=2639 idProduct=0017
made $pci/usb1/1-2/1-2:1.0 usb
made $pci/usb1/1-2/1-2:1.0/0003:2639:0017.0001 hid
made $pci/usb1/1-2/1-2:1.0/0003:2639:0017.0001/HID-SENSOR-200073.3.auto platform
sensor $pci/usb1/1-2/1-2:1.0/0003:2639:0017.0001/HID-SENSOR-200073.3.auto in_accel_x_raw=1
sensor platform/adc in_voltage0_raw=1
sensor platform/pedometer in_steps_input=1
port platform/serial0/gnss/gnss0 gnss type=UBX
made $pci/usb1/1-3 usb idVendor=1546 idProduct=01a8 product=thing
made $pci/usb1/1-3/1-3:1.0 usb
port $pci/usb1/1-3/1-3:1.0/tty/ttyACM0 tty
made $pci/usb1/1-4 usb idVendor=10c4 idProduct=ea60 "product=CP2102 Bridge"
made $pci/usb1/1-4/1-4:1.0 usb
port $pci/usb1/1-4/1-4:1.0/tty/ttyUSB0 tty
made $pci/usb1/1-5 usb idVendor=ffff idProduct=0001 "product=Super GNSS stick"
made $pci/usb1/1-5/1-5:1.0 usb
port $pci/usb1/1-5/1-5:1.0/tty/ttyACM1 tty
made $pci/usb1/1-6 usb idVendor=ffff idProduct=0002 "product=GNSS Modem"
made $pci/usb1/1-6/1-6:1.0 usb
port $pci/usb1/1-6/1-6:1.0/tty/ttyACM2 tty
# A private /sys, /dev and database, so that this machine's own are not affected.
SYSTEMD_DEVICE_VERIFY_SYSFS=0 unshare --mount sh -c "
    mount -t tmpfs tmpfs /dev && mkdir -p /run/udev/data /dev/char
    mount -t tmpfs tmpfs /run/udev/data && mount -t tmpfs tmpfs /run/udev/tags
    mount --bind $SYS /sys
    while read -r path; do
        echo \"# \$path\"
        udevadm test --action=add \"/sys\$path\" 2>&1
    done < /sys/list" > /host/results/rules-made.txt || die "the made-up devices cannot be shown"
rm -rf $SYS
report rules-read --timeout 8

# Motion sensors: chips whose registers i2c-stub holds, and a HID sensor hub (hub.c). The kernel's own drivers bind to both.

STUB_CHIPS=0x14,0x18,0x19,0x68,0x69,0x6a

# bus: the number of the stub's adapter, which is loaded at first use
bus() {
    if [ ! -e /run/bench/bus ]; then
        { modprobe i2c-dev && modprobe i2c-stub chip_addr=$STUB_CHIPS; } || die "i2c-stub does not load"
        basename "$(dirname "$(grep -l 'SMBus stub' /sys/bus/i2c/devices/i2c-*/name)")" | cut -d- -f2 > /run/bench/bus
    fi
    read -r BUS < /run/bench/bus && echo "$BUS"
}
# remove_stub: unloads it, and forgets its registers; the next one may hold other addresses
remove_stub() {
    [ ! -d /sys/module/i2c_stub ] || rmmod i2c_stub || die "i2c-stub cannot be unloaded"
    rm -f /run/bench/bus
}
# registers ADDRESS FIRST BYTE...: up to 32 bytes from FIRST on
registers() { local address=$1 first=$2; shift 2; i2cset -y "$(bus)" "$address" "$first" "$@" i || die "register $first of $address"; }
client() { echo "/sys/bus/i2c/devices/$(bus)-00${1#0x}"; }
# new_chip NAME ADDRESS: registers the chip with the kernel; put_chip waits until a driver shows its sensors
new_chip() { echo "$1" "$2" > "/sys/bus/i2c/devices/i2c-$(bus)/new_device"; settle; }
put_chip() {
    echo "$1" "$2" > "/sys/bus/i2c/devices/i2c-$(bus)/new_device"
    wait_for 10 seen "$(client "$2")/iio:device*/name" || die "no driver took $1 at $2"
    settle
}
remove_chip() { echo "$1" > "/sys/bus/i2c/devices/i2c-$(bus)/delete_device"; }

# The chips. Gravity is on z; rotations are small and not zero. The part can hold each register value.
chip_bmi160() { fill_bmi160 "$@"; put_chip bmi160 0x69; }
fill_bmi160() {                 # six axes in one device; ranges of 2 g and 2000 degrees a second
    local range=${1:-0x03}      # a range the driver does not know makes its scale unreadable
    registers 0x69 0x00 0xd1
    registers 0x69 0x0c 0x10 0x00 0xf8 0xff 0x04 0x00 0x48 0x01 0x38 0xff 0x00 0x40
    registers 0x69 0x40 0x28 "$range" 0x28 0x00
}
chip_lis3dh() {                 # accelerometer only; address 0x19 or 0x18; samples a second. Reads of this part have bit 7 set.
    local address=${1:-0x19} rate=${2:-100} device
    registers "$address" 0x8f 0x33
    registers "$address" 0xa8 0x40 0x01 0x20 0xfe 0x80 0x3e
    put_chip lis3dh "$address"
    device=$(echo "$(client "$address")"/iio:device*)
    [ "$rate" = default ] || echo "$rate" > "$device/sampling_frequency"
}
chip_lis3dh_zero() {
    registers 0x19 0x8f 0x33
    registers 0x19 0xa8 0 0 0 0 0 0
    put_chip lis3dh 0x19
    echo 100 > "$(echo "$(client 0x19)"/iio:device*)/sampling_frequency"
}
chip_lsm6ds3() {                # six axes in two devices
    registers 0x6a 0x0f 0x69
    registers 0x6a 0x22 0x10 0x00 0xf8 0xff 0x04 0x00 0x48 0x01 0x38 0xff 0x00 0x40
    put_chip lsm6ds3 0x6a
    wait_for 10 seen "$(client 0x6a)/iio:device?/in_anglvel_x_raw" || die "lsm6ds3 shows no gyroscope"
}
chip_mpu6050() {                # six axes in one device, big endian
    registers 0x68 0x75 0x68
    registers 0x68 0x3b 0x01 0x48 0xff 0x38 0x40 0x00
    registers 0x68 0x43 0x00 0x10 0xff 0xf8 0x00 0x04
    put_chip mpu6050 0x68
}
chip_bma400() {                 # accelerometer with a step counter, which starts switched off
    registers 0x14 0x00 0x90
    registers 0x14 0x03 0x04
    registers 0x14 0x04 0x14 0x00 0xe2 0x0f 0x00 0x02
    registers 0x14 0x15 0xd2 0x04 0x00
    registers 0x14 0x19 0x02 0x49 0x00
    registers 0x14 0x20 0x00
    put_chip bma400 0x14
}
chip_removed() { gone "$(client "$1")"; }

# hub start WORDS (see hub.c) | stop | freeze (does not answer) | thaw
HUB=/sys/bus/hid/devices/0003:1209:0001.*
hub() {
    local action=$1 word; shift
    case $action in
    start)
        modprobe uhid || die "uhid does not load"
        wait_for 5 test -e /dev/uhid || die "no /dev/uhid"
        start hub /usr/bin/hub "$@"       # by its path: this function has its name
        for word; do
            case $word in
            accel) wait_for 10 seen "$HUB/HID-SENSOR-200073.*/iio:device*/name" || die "the hub shows no accelerometer" ;;
            gyro) wait_for 10 seen "$HUB/HID-SENSOR-200076.*/iio:device*/name" || die "the hub shows no gyroscope" ;;
            esac
        done
        settle ;;
    stop) stop hub; wait_for 5 gone "$HUB" || die "the hub is still there" ;;
    freeze) kill -STOP "$(pid hub)" ;;
    thaw) kill -CONT "$(pid hub)" ;;
    esac
}
hub_device() { ls -d $HUB/HID-SENSOR-$1.*/iio:device*; }        # 200073 the accelerometer, 200076 the gyroscope

# gamepad WORDS (see gamepad.c): a game controller whose driver reports motion; stop gamepad unplugs it
MOTION_INPUT='/sys/devices/virtual/misc/uhid/*/input/input*/event*'
gamepad() {
    modprobe -a uhid evdev hid-playstation hid-udraw-ps3 || die "no drivers of game controllers"
    wait_for 5 test -e /dev/uhid || die "no /dev/uhid"
    start gamepad /usr/bin/gamepad "$@"       # by its path: this function has its name
    wait_for 10 has_motion_input || die "the controller reports no motion"
    settle
}
# An event interface below the controller whose driver says that it is an accelerometer: bit 6 of its properties.
has_motion_input() { grep -qsx 40 /sys/devices/virtual/misc/uhid/*/input/input*/properties; }
motion_node() { local input=$(dirname "$(grep -lx 40 /sys/devices/virtual/misc/uhid/*/input/input*/properties)"); echo "/dev/input/$(basename "$(ls -d "$input"/event*)")"; }
gamepad_unplugged() { stop gamepad; wait_for 5 gone "$MOTION_INPUT" || die "the controller is still there"; }

# virtual_motion: a motion sensor that a program makes (virtual.c), until `virtual_motion_removed`
VIRTUAL_INPUT='/sys/devices/virtual/input/input*/event*'
virtual_motion() {
    modprobe -a uinput evdev || die "no uinput"
    wait_for 5 test -e /dev/uinput || die "no /dev/uinput"
    start virtual /usr/bin/virtual
    wait_for 10 seen "$VIRTUAL_INPUT" || die "no device was made"
    settle
}
virtual_node() { echo "/dev/input/$(basename $VIRTUAL_INPUT)"; }
virtual_motion_removed() { stop virtual; wait_for 5 gone "$VIRTUAL_INPUT" || die "the device that a program made is still there"; }

# chip_lis3lv02d: an accelerometer that its driver shows as a joystick, without a unit; gravity is on z
chip_lis3lv02d() {
    modprobe evdev || die "no evdev"
    registers 0x18 0x0f 0x3a
    registers 0x18 0x20 0x47 0x00 0x00
    registers 0x18 0x28 0x10 0x00 0xf0 0xff 0x00 0x04
    new_chip lis3lv02d 0x18
    wait_for 10 seen "/sys/devices/platform/lis3lv02d/input/input*/event*" || die "no driver took lis3lv02d"
    settle
}

# shaken: the same chip's z wobbles, until `stop shaken`
shaken() {
    start shaken sh -c "while :; do i2cset -f -y $(bus) 0x18 0x2c 0x40; usleep 60000; i2cset -f -y $(bus) 0x18 0x2c 0x00; usleep 60000; done"
}

# capture NAME: reads samples from that sensor continuously, as another program would
capture() {
    start "capture-$1" iio_readdev -b 8 "$1"
    wait_for 5 grep -qx 1 "$(dirname "$(grep -lx "$1" /sys/bus/iio/devices/iio:device*/name)")"/buffer/enable || die "$1 cannot be captured"
}

# iiod_start: serves the present sensors; it never notices later ones
iiod_start() { start iiod iiod; wait_for 10 listening 30431 || die "iiod does not listen"; }

motion_clean() {
    local device
    for name in /run/bench/pids/capture-*; do [ ! -e "$name" ] || stop "${name##*/}"; done
    for device in /sys/bus/iio/devices/iio:device*/buffer/enable; do [ ! -e "$device" ] || echo 0 > "$device" || true; done
    stop gamepad
    stop virtual
    stop hub
    wait_for 10 gone "$HUB" || die "the hub is still there"
    for device in /sys/bus/i2c/devices/*-00*; do
        [ -e "$device" ] || continue
        device=${device##*/}
        echo "0x${device##*-00}" > "/sys/bus/i2c/devices/i2c-${device%%-*}/delete_device"
    done
    wait_for 10 gone "/sys/bus/iio/devices/iio:device*" "$MOTION_INPUT" "$VIRTUAL_INPUT" "/sys/devices/platform/lis3lv02d" ||
        die "motion sensors are left over"
    # Another scenario may have chips at other addresses.
    remove_stub
}

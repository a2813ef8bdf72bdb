# Bluetooth controllers: btvirt behind hci_vhci. A laptop's switch with no controller: toshiba_bluetooth on firmware.asl.

# controllers COUNT: that many, all powered on
controllers() {
    local index attempt
    modprobe -a hci_vhci af_alg algif_hash algif_skcipher cmac ecb drbg || die "hci_vhci does not load"
    wait_for 5 test -e /dev/vhci || die "no /dev/vhci"
    # On an overloaded host the emulated controller answers the kernel too late, which then never sets it up. One that is switched on by
    # HCIDEVUP before it is set up remains being set up (hci_power_on of Linux 6.1).
    for attempt in 1 2 3; do
        start btvirt btvirt "-l$1"
        ! wait_for 10 are_set_up "$1" || break
        stop btvirt
        wait_for 10 gone "/sys/class/bluetooth/hci*" || die "controllers are left over"
    done
    are_set_up "$1" || die "the kernel does not set up $1 controllers"
    for index in $(seq 0 $(( $1 - 1 ))); do
        wait_for 10 hciconfig "hci$index" up || die "hci$index cannot be switched on"
        wait_for 10 is_up "hci$index" || die "hci$index is not on"
        # The kernel leaves Low Energy off until somebody asks for it, as bluetoothd does.
        [ -n "${without_low_energy:-}" ] || btmgmt --index "$index" le on >/dev/null || die "hci$index has no Low Energy"
    done
    settle
}
# The management interface lists a controller once it is set up. btmgmt prints nothing once its input has ended.
are_set_up() { [ "$(sleep 0.5 | timeout 2 btmgmt info | grep -c '^hci[0-9]*:')" -ge "$1" ]; }
is_up() { hciconfig "$1" | grep -q 'UP RUNNING'; }
is_down() { hciconfig "$1" | grep -q DOWN; }
power_off() { hciconfig "hci$1" down; wait_for 5 is_down "hci$1" || die "hci$1 is still on"; }
power_on() { hciconfig "hci$1" up; wait_for 5 is_up "hci$1" || die "hci$1 is still off"; }
soft_block() { rfkill block bluetooth; wait_for 5 is_down hci0 || die "rfkill did not switch hci0 off"; }
soft_unblock() { rfkill unblock bluetooth; }

# bluetooth_switch on|off: the laptop's switch alone. Off is a hard block; on means: not blocked by hardware.
bluetooth_switch() {
    local byte='\0'; [ "$1" = off ] || byte='\1'
    printf '\140' | dd of=/dev/port bs=1 seek=112 conv=notrunc 2>/dev/null
    printf "$byte" | dd of=/dev/port bs=1 seek=113 conv=notrunc 2>/dev/null
    modprobe toshiba_bluetooth || die "toshiba_bluetooth does not load"
    wait_for 5 switch_entry || die "no rfkill entry"
    wait_for 10 grep -qx "$([ "$1" = off ] && echo 1 || echo 0)" "$(switch_entry)/hard" || die "the switch is not $1"
}
switch_entry() {
    local entry
    entry=$(grep -l Toshiba /sys/class/rfkill/rfkill*/name) || return 1
    echo "${entry%/name}"
}

# bluetooth_daemon [NAME]: bluetoothd on a system bus, once it has switched hci0 on; NAME is what it calls the controller
bluetooth_daemon() {
    mkdir -p /run/dbus /var/lib/bluetooth
    cat > /run/bench/bus.conf <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="*" send_destination="*"/>
<allow send_requested_reply="true"/><allow receive_type="*"/></policy></busconfig>
END
    start bus dbus-daemon --config-file=/run/bench/bus.conf --nofork --nopidfile
    wait_for 5 test -S /run/dbus/system_bus_socket || die "no bus"
    printf '[General]\n%s\n' "${1:+Name = $1}" > /run/bench/bluetoothd.conf
    start bluetoothd /usr/libexec/bluetooth/bluetoothd -n -f /run/bench/bluetoothd.conf
    daemon_says true
}
# daemon_says true|false: waits until bluetoothd tells that hci0 is on, or off
daemon_says() { wait_for 15 daemon_said "$1" || die "bluetoothd does not say that hci0's power is $1: $(cat /run/bench/bluetoothd.log)"; }
daemon_said() {
    dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 org.freedesktop.DBus.Properties.Get \
        string:org.bluez.Adapter1 string:Powered | grep -q "boolean $1"
}

bluetooth_clean() {
    stop bluetoothd
    stop bus
    rm -f /run/dbus/system_bus_socket /run/.containerenv
    [ ! -d /sys/module/rfkill ] || rfkill unblock all || true
    stop btvirt
    wait_for 10 gone "/sys/class/bluetooth/hci*" || die "controllers are left over"
    [ ! -d /sys/module/toshiba_bluetooth ] || modprobe -r toshiba_bluetooth || die "the switch is left over"
    wait_for 5 gone "/sys/class/rfkill/rfkill*" || die "rfkill entries are left over"
}

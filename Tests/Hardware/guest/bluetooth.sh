# Bluetooth controllers: btvirt behind hci_vhci. A laptop's switch with no controller: toshiba_bluetooth on firmware.asl.

# controllers COUNT: that many, all powered on
controllers() {
    local index
    modprobe -a hci_vhci af_alg algif_hash algif_skcipher cmac ecb drbg || die "hci_vhci does not load"
    wait_for 5 test -e /dev/vhci || die "no /dev/vhci"
    start btvirt btvirt "-l$1"
    for index in $(seq 0 $(( $1 - 1 ))); do
        wait_for 10 test -d "/sys/class/bluetooth/hci$index" || die "hci$index does not appear"
        wait_for 10 hciconfig "hci$index" up || die "hci$index cannot be switched on"
        wait_for 10 is_up "hci$index" || die "hci$index is not on"
    done
    settle
}
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

bluetooth_clean() {
    [ ! -d /sys/module/rfkill ] || rfkill unblock all || true
    stop btvirt
    wait_for 10 gone "/sys/class/bluetooth/hci*" || die "controllers are left over"
    [ ! -d /sys/module/toshiba_bluetooth ] || modprobe -r toshiba_bluetooth || die "the switch is left over"
    wait_for 5 gone "/sys/class/rfkill/rfkill*" || die "rfkill entries are left over"
}

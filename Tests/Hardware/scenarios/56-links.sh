# Two identical sensors on one bus, removed and added in the other order: they keep their keys, labels and links.
install_rules
cat > /run/bench/60-this-rig.rules <<'RULES'
SUBSYSTEM=="iio", KERNELS=="*-0018", ENV{RIGREADY_LABEL}="left door"
SUBSYSTEM=="iio", KERNELS=="*-0019", ENV{RIGREADY_LABEL}="right/door"
RULES
put_rules /run/bench/60-this-rig.rules
reload_rules
# links CASE: each link with the chip that it leads to, and the kernel's current number
links() {
    local link device
    for link in /dev/iio/by-label/* /dev/iio/by-path/*; do
        [ -e "$link" ] || continue
        device=$(basename "$(readlink "$link")")
        echo "${link#/dev/iio/} $(basename "$(dirname "$(readlink -f "/sys/bus/iio/devices/$device")")") $device"
    done > "/host/results/links-$1.txt"
    report "links-$1" --timeout 8
}
chip_lis3dh 0x18
chip_lis3dh 0x19
links first
remove_chip 0x18
wait_for 5 gone "$(client 0x18)" || die "the chip is still there"
settle
links one-gone
remove_chip 0x19
wait_for 5 gone "$(client 0x19)" || die "the chip is still there"
settle
links both-gone
chip_lis3dh 0x19
chip_lis3dh 0x18
links other-order

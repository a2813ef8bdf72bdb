# Motion sensors among the input devices: a game controller with both kinds, which lies still, says nothing, may not be read
# and is unplugged; one whose driver reports zero alone; one that a program makes; a laptop's accelerometer without a unit.
gamepad dualsense
report controller --timeout 8
report controller-state --depth state --timeout 8
person 1001 tester
report_as 1001 controller-denied --timeout 8
setfacl -m u:1001:r "$(motion_node)"
report_as 1001 controller-seat --timeout 8
# The product's rule gives the node of its motion, which tells no key, to the user of the seat.
install_rules
udevadm trigger --action=change --subsystem-match=input --property-match=ID_INPUT_ACCELEROMETER=1
settle
read -r number < "/sys/class/input/$(basename "$(motion_node)")/dev"
[ -e "/run/udev/tags/uaccess/c$number" ] || die "the rule does not tag the node of the motion for the seat"
gamepad_unplugged
report controller-unplugged --timeout 8
gamepad dualsense quiet
report controller-quiet --timeout 8
gamepad_unplugged
gamepad dualsense still
report controller-still --timeout 8
gamepad_unplugged
gamepad udraw
report controller-zero --timeout 8
gamepad_unplugged
virtual_motion
report controller-virtual --timeout 8
virtual_motion_removed
chip_lis3lv02d
shaken
report joystick-accelerometer --timeout 8
stop shaken
# The driver polls while its node is open, and reports what changed since: let it see where the chip came to rest.
timeout 2 cat "/dev/input/$(basename /sys/devices/platform/lis3lv02d/input/input*/event*)" > /dev/null || true
report joystick-accelerometer-at-rest --timeout 8

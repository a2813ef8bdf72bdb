# A watch while controllers come and go: their events are those of the subsystem input alone.
watching --timeout 8
gamepad dualsense
tells 'gyroscope: .* → met'
gamepad_unplugged
tells 'gyroscope: .* → absent'
virtual_motion
tells 'gyroscope: .* → met'
virtual_motion_removed
tells 'gyroscope: .* → absent'
watched

# This driver's initial rate is one sample a second: each axis takes two seconds to read.
chip_lis3dh 0x19 default
report slow-sensor --timeout 10
report slow-sensor-default-timeout

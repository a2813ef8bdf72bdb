# This driver's initial rate is one sample a second: each axis takes two seconds to read.
chip_lis3dh 0x19 default
report slow-sensor
report slow-sensor-enough-time --timeout 13
report slow-sensor-short-timeout --timeout 2
record slow-sensor
record slow-sensor-short-timeout --timeout 2

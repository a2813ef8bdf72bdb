# A chip whose interrupt is not connected has no trigger: its attributes are read.
chip_lis3dh
app capture-attributes motion-app accelerometer 30

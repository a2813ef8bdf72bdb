# No iiod at the address.
chip_lis3dh
report remote-refused --iio ip:127.0.0.1 --timeout 4

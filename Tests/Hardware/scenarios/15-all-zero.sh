# A chip that answers but measures nothing: exact zero on every axis.
chip_lis3dh_zero
report all-zero --timeout 8

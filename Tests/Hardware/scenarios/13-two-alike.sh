# Two parts of one kind and name on one bus; one of them is removed and added again.
chip_lis3dh 0x18
chip_lis3dh 0x19
report two-alike --timeout 8
remove_chip 0x18
wait_for 5 gone "$(client 0x18)" || die "the chip is still there"
report two-alike-first-removed --timeout 8
chip_lis3dh 0x18
report two-alike-put-back --timeout 8

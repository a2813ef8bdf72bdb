controllers 1
soft_block
report soft-blocked --timeout 4
soft_unblock

# One controller, powered off; no rfkill block.
controllers 1
power_off 0
report controller-off --timeout 4

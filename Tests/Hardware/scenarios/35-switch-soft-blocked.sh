# An rfkill entry, blocked by software, and no controller.
bluetooth_switch on
rfkill block bluetooth
report switch-soft-blocked --timeout 4

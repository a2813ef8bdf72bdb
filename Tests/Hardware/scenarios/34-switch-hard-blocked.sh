# A laptop's Bluetooth switch is off: an rfkill entry, blocked by hardware, and no controller behind it.
bluetooth_switch off
report switch-hard-blocked --timeout 4
rfkill block bluetooth
report switch-hard-and-soft-blocked --timeout 4

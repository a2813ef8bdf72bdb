# An rfkill entry that blocks nothing, and no controller.
bluetooth_switch on
report switch-alone --timeout 4

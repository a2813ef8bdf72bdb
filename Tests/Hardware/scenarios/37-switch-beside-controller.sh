# A switch that is off and a controller that is on: two radios.
controllers 1
bluetooth_switch off
report switch-beside-controller --timeout 4
